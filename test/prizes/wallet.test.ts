import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readEvents } from '../../src/events/event-log.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import { alwaysWins, callApi, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, post, type Server, suiteLifetime } from '../scenes/scene.ts'

const dayMs = 86_400_000
const toClaim = { claimInWallet: true, claimWithinSeconds: 3_600 }

describe("a player's wallet", () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => void (server = await makeServer(lifetime)))

  const ask = (path: string, body: object) => callApi(server, undefined, 'POST', `/api/v1/${path}`, { body })
  const makeLink = async (api: ManagementApi, playerId: string, body: object = {}) => {
    const answer = await api.call('POST', `/players/${playerId}/wallet-links`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const open = async (token: string) => {
    const answer = await ask('wallet/prizes', { token })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const codeOf = async (token: string) => (await ask('wallet/prizes', { token })).body.code

  test('shows every prize with its state, and the code while it can be used', async () => {
    const api = await makeManagementApi(server)
    const code = { id: 'code', prize: { kind: 'fixed', code: 'CAFE-1' }, claimWithinSeconds: 86_400 } as const
    await api.publish(alwaysWins(code))
    const coupon = await api.play('pia')
    await api.publish(alwaysWins({ title: 'A mug for you', ...toClaim }))
    const mug = await api.play('pia')
    const { token, link, expiresAt } = await makeLink(api, 'pia', { language: 'de' })
    assert.equal(link, `${server.ctx.config.gameUrl}/wallet/?token=${token}&lang=de`)
    assert.equal(
      Date.parse(expiresAt) - Date.parse(coupon.prize.claimBefore),
      90 * dayMs,
      'it lives as long as the prizes',
    )
    const { prizes, published } = await open(token)
    assert.deepEqual(
      prizes.map((prize: any) => [prize.playId, prize.state, prize.code, prize.title]),
      [
        [mug.playId, 'to_claim', null, 'A mug for you'],
        [coupon.playId, 'won', 'CAFE-1', null],
      ],
    )
    assert.match(prizes[0].number, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
    assert.match(published, /"label":"A mug"/)
    await api.call('PUT', `/prizes/${coupon.playId}/redemption`, {})
    const [, used] = (await open(token)).prizes
    assert.deepEqual([used.state, used.code], ['redeemed', null])
  })

  test('claims a prize by a press where the wheel offers it, once, and never one of another player', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins(toClaim))
    const { playId } = await api.play('pia')
    const other = await api.play('paul')
    const { token } = await makeLink(api, 'pia')
    const [claimed, again] = [
      await ask('wallet/claims', { token, playId }),
      await ask('wallet/claims', { token, playId }),
    ]
    for (const { body, text } of [claimed, again])
      assert.deepEqual([body.prizes?.[0].state, body.prizes?.[0].claimBefore], ['claimed', null], text)
    const foreign = await ask('wallet/claims', { token, playId: other.playId })
    assert.equal(foreign.body.code, 'play_not_found')
    await numberAllPages(server.ctx.db)
    const query = { merchantId: api.merchant.merchantId, after: 0, limit: 100 }
    const events = await readEvents(server.ctx.db, query)
    assert.deepEqual(
      events.filter(({ type }) => type === 'prize.claimed').map(({ data }) => data),
      [{ playerId: 'pia', playId, prizeId: 'mug', by: 'player' }],
    )
    await api.publish(alwaysWins({}))
    const unasked = await api.play('pia')
    const refused = await ask('wallet/claims', { token, playId: unasked.playId })
    assert.deepEqual([refused.status, refused.body.code], [409, 'claim_not_offered'])
  })

  test('is opened by its own kind of token alone, which plays nothing', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const game = await post(`${server.url}/api/game/sso`, api.token, { playerId: 'pia' })
    const { token } = await makeLink(api, 'pia')
    assert.equal(await codeOf(game.body.token as string), 'game_token_invalid')
    assert.equal((await ask('game/session', { token })).body.code, 'game_token_invalid')
    assert.equal((await ask('game/wallet', { token })).body.code, 'game_token_invalid')
    assert.equal(await codeOf(`${token}x`), 'game_token_invalid')
  })

  test('ends with its link, with all links of the player, and with the player', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    await api.play('pia')
    const first = await makeLink(api, 'pia')
    await numberAllPages(server.ctx.db)
    const { links } = (await api.call('GET', '/players/pia/links')).body
    assert.equal(links.find(({ linkId }: any) => linkId === first.linkId).opens, 'wallet')
    await api.call('PUT', `/links/${first.linkId}/revocation`)
    assert.equal(await codeOf(first.token), 'game_token_revoked')
    const second = await makeLink(api, 'pia')
    await api.call('PUT', '/players/pia/links/revocation')
    assert.equal(await codeOf(second.token), 'game_token_revoked')
    const third = await makeLink(api, 'pia')
    await open(third.token)
    await api.call('DELETE', '/players/pia/personal-data')
    assert.equal(await codeOf(third.token), 'game_token_revoked')
    await api.grant('pia', 1)
    assert.equal(
      await codeOf(third.token),
      'game_token_revoked',
      'a later player with the same id is another one',
    )
  })

  test('shows from the game what the game link opens, and ends with that link', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('pia')
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    const gameLink = async (campaign: string) =>
      (await api.call('POST', '/links', { playerId: 'pia', campaign })).body
    const shownBy = async (campaign: string) => {
      const { token } = (await ask('game/wallet', { token: (await gameLink(campaign)).token })).body
      return (await open(token)).prizes.map(({ playId }: any) => playId)
    }
    assert.deepEqual(await shownBy('main'), [play.playId])
    assert.deepEqual(await shownBy('*'), [play.playId])
    assert.deepEqual(await shownBy('summer'), [])
    const { token, linkId } = await gameLink('main')
    const wallet = (await ask('game/wallet', { token })).body
    await api.call('PUT', `/links/${linkId}/revocation`)
    assert.equal(await codeOf(wallet.token), 'game_token_revoked')
  })

  test('is linked to for players that exist, and only within the campaign of a bound token', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const missing = await api.call('POST', '/players/nobody/wallet-links', {})
    assert.deepEqual([missing.status, missing.body.code], [404, 'player_not_found'])
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    const bound = { name: 'agency', scopes: ['links'], campaign: 'summer' }
    const { token } = (await api.call('POST', '/tokens', bound)).body
    const grant = { playerId: 'pia', spins: 1, campaign: 'summer' }
    await api.call('POST', '/grants', grant, { 'Idempotency-Key': 'order-1' })
    const asAgency = (body: object) =>
      callApi(server, token, 'POST', '/api/v1/players/pia/wallet-links', { body })
    const made = await asAgency({})
    assert.equal(made.body.campaign, 'summer', made.text)
    assert.equal((await asAgency({ campaign: '*' })).body.code, 'token_bound')
  })
})
