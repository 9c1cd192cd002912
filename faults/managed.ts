import type { TestMerchant } from './load.ts'
import type { FaultContext } from './round.ts'

/** The test merchant of a merchant, whose codes for visitors can be read, and whose clock can be set. */
export async function testMerchantOf(ctx: FaultContext, live: TestMerchant): Promise<TestMerchant> {
  const made = await managed(ctx, live.token, { method: 'POST', path: '/test-merchant', body: {} })
  const { merchant: slug, token } = made as { merchant: string; token: string }
  const [row] = await ctx.scene.postgres.query<{ merchantId: number }>(readId, [slug], 'wheelhouse')
  if (row === undefined) throw new Error(`there is no merchant ${slug}`)
  return { ...row, slug, token }
}

/** A request that must succeed. The last server is never killed. */
export async function managed(
  { scene }: FaultContext,
  authorization: string,
  { method, path, body }: { method: string; path: string; body?: object },
): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json' }
  const url = `${scene.urls.at(-1)}/api/v1${path}`
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const readId = 'select merchant_id as "merchantId" from merchants where slug = $1'
