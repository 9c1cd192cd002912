import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ConcurrencyLimit } from '../concurrency-limit.ts'
import { forecastMsMax, forecastsWaitingMax } from '../limits.ts'
import { overloaded } from '../refusals.ts'
import type { Forecast, ForecastOrder } from './forecast-wheel.ts'

/** Forecasts in a thread, one after another: a second of arithmetic must not delay grants and plays. */
export class Forecasts {
  readonly #turns = new ConcurrencyLimit({ max: 1, waitingMax: forecastsWaitingMax })

  async make(order: ForecastOrder): Promise<Forecast> {
    const forecast = this.#turns.run(() => inThread(order))
    if (forecast === undefined) throw overloaded('forecasts')
    return forecast
  }
}

async function inThread(order: ForecastOrder): Promise<Forecast> {
  const worker = new Worker(new URL('forecast-thread.ts', import.meta.url), { workerData: order })
  const cutOff = setTimeout(() => void worker.terminate(), forecastMsMax)
  const ended = once(worker, 'exit').then(() => {
    throw overloaded('forecasts')
  })
  try {
    const [forecast] = (await Promise.race([once(worker, 'message'), ended])) as [Forecast]
    return forecast
  } finally {
    clearTimeout(cutOff)
    await worker.terminate()
  }
}
