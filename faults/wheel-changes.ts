import type { Stage } from './round.ts'
import { hotStock, wheelOf } from './shop.ts'

/** Publishes, restocks, pauses and resumes, as staff would who can't make up their mind. */
export async function changeWheels(stage: Stage): Promise<void> {
  const { chance, scene, shop } = stage
  let stock = hotStock
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = { authorization: shop.token, 'content-type': 'application/json' }
    const url = `${chance.pick(scene.urls)}/api/v1/wheels/main${path}`
    const init = { method, headers, signal: AbortSignal.timeout(10_000) }
    // It may fail together with another fault; then the wheel stays as it was, or not.
    await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined)
  }
  for (;;) {
    await stage.pause(chance.between(300, 1_500))
    if (stage.isOver()) break
    const change = chance.pick(['stock', 'weights', 'pause'])
    if (change === 'pause') {
      await ask('PUT', '/pause')
      await stage.pause(chance.between(100, 1_500))
      await ask('DELETE', '/pause')
      continue
    }
    if (change === 'stock') stock += 1 + chance.below(10)
    await ask('PUT', '', wheelOf(stock, 20 + chance.below(40)))
    await ask('POST', '/publication')
  }
  for (let triesLeft = 5; triesLeft > 0; triesLeft--) await ask('DELETE', '/pause')
}
