// The thread of one forecast. See forecasts.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { type ForecastOrder, forecastWheel } from './forecast-wheel.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node has no origin
parentPort?.postMessage(forecastWheel(workerData as ForecastOrder))
