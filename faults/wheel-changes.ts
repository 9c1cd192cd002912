import type { FaultContext } from './round.ts'
import { hotStock, wheelOf } from './test-merchant.ts'

/** Publishes, restocks, pauses and resumes the wheel in random order. */
export async function changeWheels(ctx: FaultContext): Promise<void> {
  const { random, scene, merchant } = ctx
  let stock = hotStock
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = { authorization: merchant.token, 'content-type': 'application/json' }
    const url = `${random.pick(scene.urls)}/api/v1/wheels/main${path}`
    const init = { method, headers, signal: AbortSignal.timeout(10_000) }
    // A second fault may make this fail; the change may or may not have been applied then.
    await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined)
  }
  for (;;) {
    await ctx.pause(random.between(300, 1_500))
    if (ctx.isOver()) break
    const change = random.pick(['stock', 'weights', 'pause'])
    if (change === 'pause') {
      await ask('PUT', '/pause')
      await ctx.pause(random.between(100, 1_500))
      await ask('DELETE', '/pause')
      continue
    }
    if (change === 'stock') stock += 1 + random.below(10)
    await ask('PUT', '', wheelOf(stock, 20 + random.below(40)))
    await ask('POST', '/publication')
  }
  for (let triesLeft = 5; triesLeft > 0; triesLeft--) await ask('DELETE', '/pause')
}
