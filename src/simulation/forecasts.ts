import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { FairConcurrencyLimit } from '../concurrency/fair-concurrency-limit.ts'
import { forecastMsMax, forecastsMax } from '../limits.ts'
import { MerchantConcurrency } from '../concurrency/merchant-concurrency.ts'
import { overloaded } from '../refusals.ts'
import type { Forecast, ForecastOrder } from './forecast-wheel.ts'

type Caller = {
  merchantId: number
  /** Aborted when nobody waits for the forecast any more. */
  gone: AbortSignal
}

/**
 * Forecasts in a thread, one after another: a second of arithmetic must not delay grants and plays. Merchants take
 * turns, and an abandoned forecast ends.
 */
export class Forecasts {
  readonly #turns = new FairConcurrencyLimit(1)
  /** For those that wait or run. */
  readonly #concurrency = new MerchantConcurrency(forecastsMax, () => overloaded('forecasts'))

  async make(order: ForecastOrder, { merchantId, gone }: Caller): Promise<Forecast> {
    const leave = this.#concurrency.enter(merchantId)
    try {
      return await this.#turns.run(merchantId, () => inThread(order, gone))
    } finally {
      leave()
    }
  }
}

async function inThread(order: ForecastOrder, gone: AbortSignal): Promise<Forecast> {
  if (gone.aborted) throw overloaded('forecasts')
  const worker = new Worker(new URL('forecast-thread.ts', import.meta.url), { workerData: order })
  const end = () => void worker.terminate()
  const cutOff = setTimeout(end, forecastMsMax)
  gone.addEventListener('abort', end)
  const ended = once(worker, 'exit').then(() => {
    throw overloaded('forecasts')
  })
  try {
    const [forecast] = (await Promise.race([once(worker, 'message'), ended])) as [Forecast]
    return forecast
  } finally {
    clearTimeout(cutOff)
    gone.removeEventListener('abort', end)
    await worker.terminate()
  }
}
