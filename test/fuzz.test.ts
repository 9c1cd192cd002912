// A short run of `npm run fuzz`, the same each time; SEED=… is another, and `npm run fuzz` looks further.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Campaign, campaignSettings, makeCampaign } from '../fuzz/campaign.ts'
import { auditLedger } from '../src/audit/audit.ts'
import { makeServer, type Server, suiteLifetime } from './scene.ts'

const seed = Number(process.env.SEED ?? 20261115)

describe(`whatever is sent (SEED=${seed})`, () => {
  const lifetime = suiteLifetime()
  let server: Server
  let campaign: Campaign
  before(async () => {
    server = await makeServer(lifetime, { env: campaignSettings })
    campaign = await makeCampaign(server)
    lifetime.after(() => campaign.close())
  })

  test('every answer is one that the OpenAPI document declares, tells no secret, and repeats itself for the same key', async () => {
    await campaign.run({ requests: 1_000, seed })
    assert.ok(campaign.tally.requests >= 1_000)
    const { reached, byStatus } = campaign.tally
    assert.ok(
      reached.size > campaign.operations.length / 2,
      `${reached.size} operations, ${JSON.stringify(byStatus)}`,
    )
  })

  test('bytes that are no HTTP, or not quite, get an answer or a closed door', async () => {
    await campaign.runRaw({ exchanges: 150, seed })
  })

  test('the books are in order afterwards', async () => {
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })
})
