import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { tidyEntries } from '../../src/entries/tidy-entries.ts'
import { entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { alwaysWins, callApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, post, type Server, suiteLifetime, until } from '../scenes/scene.ts'

const day = 86_400_000
const field = (id: string, kind: string, when: string, more: object = {}) => ({
  id,
  kind,
  labels: { en: `The ${id}`, de: `Feld ${id}` },
  isRequired: true,
  when,
  ...more,
})
const fields = [
  ...entrySettings.fields,
  field('street', 'text', 'toClaim'),
  field('phone', 'phone', 'toClaim', { isRequired: false }),
  field('size', 'choice', 'afterWin', { options: [{ id: 's', labels: { en: 'S' } }] }),
  field('club', 'consent', 'afterWin', { isRequired: false, purpose: 'marketing' }),
]

/** Events get their numbers, and so can be read, a moment after their commit. */
async function eventsOf(api: ManagementApi, types: string, count: number): Promise<any[]> {
  let events: any[] = []
  await until(async () => {
    events = (await api.call('GET', `/events?types=${types}`)).body.events
    return events.length >= count
  })
  assert.equal(events.length, count)
  return events
}

describe('the forms after a win, and to claim a prize', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let ahead = 0
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(Date.now() + ahead) })
  })

  const game = (path: string, body: object) =>
    callApi(server, undefined, 'POST', `/api/v1/game/${path}`, { body })

  /** A visitor who has won a code. */
  const makeWinner = async (settings: object = { fields }) => {
    const page = await makeEntryPage(server, settings)
    await page.api.publish(alwaysWins({ prize: { kind: 'fixed', code: 'SUNNY-10' } }))
    const entered = await page.enter({ email: 'ann@shop.example' })
    const session = await page.open(entered)
    const play = await page.api.spin(session)
    const ask = (path: string, body: object) =>
      game(path, { session: session.session, language: 'en', ...body })
    const forms = (await ask('forms', {})).body
    const answer = (path: string, answers: object, more: object = {}) =>
      ask(path, { formVersion: forms.formVersion, answers, ...more })
    const claim = (answers: object, more: object = {}) =>
      answer('claims', answers, { playId: play.playId, ...more })
    const entry = async () => (await page.api.call('GET', '/campaigns/main/entries')).body.entries[0]
    return { ...page, entered, session, play, forms, ask, answer, claim, entry }
  }

  test('a prize is named at once, and used once the visitor has claimed it by the form', async () => {
    const { api, play, forms, ask, claim, entry, open, entered, session } = await makeWinner()
    assert.equal(play.won, true)
    assert.deepEqual([play.prize.withheld, play.prize.code], ['claim', null])
    assert.deepEqual(
      forms.toClaim.map(({ id, label }: any) => [id, label]),
      [
        ['street', 'The street'],
        ['phone', 'The phone'],
      ],
    )
    assert.equal((await ask('forms', { language: 'de' })).body.toClaim[0].label, 'Feld street')
    const [win] = (await open(entered)).wins
    assert.deepEqual([win.prize.withheld, win.prize.code], ['claim', null])
    assert.equal(JSON.stringify(await open(entered)).includes('SUNNY-10'), false)

    const wrong = await claim({ phone: 'none', size: 's' })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.body.errors.map(({ pointer }: any) => pointer).toSorted(), [
      '/answers/phone',
      '/answers/size',
      '/answers/street',
    ])
    assert.equal((await claim({ street: 'High St' }, { formVersion: 99 })).body.code, 'form_outdated')
    assert.deepEqual((await entry()).answers, { email: 'ann@shop.example' })

    const claimed = await claim({ street: ' 1 High Street ' })
    assert.equal(claimed.status, 200, JSON.stringify(claimed.body))
    assert.deepEqual((await entry()).answers, { email: 'ann@shop.example', street: '1 High Street' })
    const [after] = (await open(entered)).wins
    assert.deepEqual([after.prize.withheld, after.prize.code], [undefined, 'SUNNY-10'])
    const prize = (await api.call('GET', `/prizes/${play.playId}`)).body
    assert.equal(prize.state, 'claimed')
    assert.equal((await claim({ street: '1 High Street' })).status, 200, 'a repeat')
    assert.equal((await claim({ street: '2 Low Street', phone: '+44 20 7946 0000' })).status, 200)
    assert.equal((await entry()).answers.street, '2 Low Street', 'the last answer counts')
    const events = await eventsOf(api, 'entry.answered,prize.claimed', 3)
    assert.deepEqual(
      events.map(({ type, data }: any) => [type, data.asked ?? data.by]),
      [
        ['entry.answered', 'toClaim'],
        ['prize.claimed', 'player'],
        ['entry.answered', 'toClaim'],
      ],
    )
    assert.equal(JSON.stringify(events).includes('Street'), false)
    await api.call('PUT', `/prizes/${play.playId}/cancellation`)
    assert.equal((await claim({ street: 'x' }, { playId: play.playId })).status, 409)
    assert.equal(
      (await ask('claims', { playId: session.session.slice(0, 8), formVersion: 1, answers: {} })).status,
      400,
    )
  })

  test('what is asked after a win is asked once, and only of a visitor who has won', async () => {
    const { api, ask, forms, answer, entry, session } = await makeWinner()
    assert.deepEqual(
      forms.afterWin.map(({ id }: any) => id),
      ['size', 'club'],
    )
    assert.equal((await answer('answers', { club: true })).body.errors[0].pointer, '/answers/size')
    assert.equal((await answer('answers', { size: 's', club: true })).status, 200)
    const { answers, consents } = await entry()
    assert.deepEqual([answers.size, answers.club], ['s', true])
    assert.deepEqual(
      consents.map(({ field: id, confirmedAt }: any) => [id, confirmedAt]),
      [['club', null]],
    )
    assert.deepEqual((await ask('forms', {})).body.afterWin, [])
    assert.equal(
      (await answer('answers', { size: 's', club: true })).status,
      200,
      'a lost answer is repeated',
    )
    const events = await eventsOf(api, 'entry.answered', 1)
    assert.deepEqual(
      events.map(({ data }: any) => data.consents),
      [[{ field: 'club', purpose: 'marketing', state: 'given' }]],
    )
    const personal = await api.call('GET', `/players/${session.playerId}/personal-data`)
    assert.match(personal.text, /"size":"s"/)
    const csv = await api.call('GET', '/campaigns/main/entries/export?format=csv')
    assert.match(csv.text.split('\n')[0] as string, /answers\.street.*answers\.size/)
    await api.call('DELETE', `/players/${session.playerId}/personal-data`)
    assert.equal((await entry()).answers, null)
    assert.equal((await answer('answers', { size: 's' })).body.code, 'game_token_revoked')

    const loser = await makeEntryPage(server, { fields })
    await loser.api.publish(alwaysWins({}))
    const opened = await loser.open(await loser.enter({ email: 'bob@shop.example' }))
    const body = { session: opened.session, language: 'en', formVersion: 1, answers: { size: 's' } }
    const none = await game('answers', body)
    assert.deepEqual([none.status, none.body.code], [409, 'answers_not_asked'])
  })

  test('the wallet does not get around the form to claim, and has it too', async () => {
    const { api, play, entered, entry } = await makeWinner()
    const { token } = (await game('wallet', { token: entered.body.token })).body
    const wallet = (path: string, body: object = {}) =>
      callApi(server, undefined, 'POST', `/api/v1/wallet/${path}`, { body: { token, ...body } })
    const [prize] = (await wallet('prizes')).body.prizes
    assert.deepEqual([prize.state, prize.label, prize.code], ['to_claim', 'A mug', null])
    const { playId } = play
    const bare = await wallet('claims', { playId })
    assert.deepEqual([bare.status, bare.body.code], [409, 'form_outdated'])
    const forms = (await wallet('forms', { playId, language: 'en' })).body
    assert.deepEqual(
      forms.toClaim.map(({ id }: any) => id),
      ['street', 'phone'],
    )
    const { formVersion } = forms
    const empty = await wallet('claims', { playId, formVersion, language: 'en', answers: {} })
    assert.equal(empty.body.errors[0].pointer, '/answers/street')
    const answers = { street: '1 High Street' }
    const claimed = await wallet('claims', { playId, formVersion, language: 'en', answers })
    assert.equal(claimed.body.prizes[0].code, 'SUNNY-10', claimed.text)
    assert.equal((await entry()).answers.street, '1 High Street')
    assert.equal((await api.call('GET', `/prizes/${playId}`)).body.state, 'claimed')
  })

  test('a consent that was withdrawn is given anew by a later form, also with the same answers as before', async () => {
    const consent = field('club', 'consent', 'toClaim', { isRequired: false, purpose: 'marketing' })
    const street = field('street', 'text', 'toClaim')
    const { api, claim, entry } = await makeWinner({ fields: [...entrySettings.fields, street, consent] })
    const answers = { street: '1 High Street', club: true }
    assert.equal((await claim(answers)).status, 200)
    const { playerId } = await entry()
    assert.equal((await api.call('PUT', `/players/${playerId}/consents/withdrawal`, {})).status, 200)
    assert.equal((await claim(answers)).status, 200)
    assert.equal((await claim(answers)).status, 200, 'a repeat')
    const { consents } = await entry()
    assert.deepEqual(
      consents.map(({ field: id, withdrawnAt }: any) => [id, withdrawnAt !== null]),
      [
        ['club', true],
        ['club', false],
      ],
    )
    await eventsOf(api, 'entry.answered', 2)
  })

  test('players whom the merchant knows see their prize at once, and are asked nothing', async () => {
    const { api } = await makeEntryPage(server, { fields })
    await api.publish(alwaysWins({ prize: { kind: 'fixed', code: 'SUNNY-10' } }))
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId: 'pia', initialSpin: 1 })
    const session = (await game('session', { token: link.body.token })).body
    const play = await api.spin(session)
    assert.deepEqual([play.prize.withheld, play.prize.code], [undefined, 'SUNNY-10'])
    const send = (path: string, more: object) =>
      game(path, { session: session.session, language: 'en', ...more })
    assert.deepEqual((await send('forms', {})).body, { formVersion: 0, afterWin: [], toClaim: [] })
    const claim = { playId: play.playId, formVersion: 0, answers: {} }
    assert.equal((await send('claims', claim)).body.code, 'claim_not_offered')
    assert.equal((await api.call('GET', `/prizes/${play.playId}`)).body.state, 'won')
    const more = { formVersion: 0, answers: {} }
    assert.equal((await send('answers', more)).body.code, 'answers_not_asked')
  })

  test('answers to claim are kept as long after the claim as those of the entry after the end', async () => {
    const { send: request, open, entered, entry, play, forms } = await makeWinner()
    ahead = 110 * day
    const { session } = await open(await request('/returns', { pass: entered.body.pass }))
    const { formVersion } = forms
    const answers = { street: '1 High Street' }
    const claimed = await game('claims', {
      session,
      language: 'en',
      formVersion,
      playId: play.playId,
      answers,
    })
    assert.equal(claimed.status, 200, claimed.text)
    ahead = 0
    const in90Days = (after: number) => tidyEntries(server.ctx.db, new Date(Date.now() + (after + 90) * day))
    await in90Days(31)
    assert.equal((await entry()).answers.street, '1 High Street')
    await in90Days(111)
    assert.equal((await entry()).answers, null)
  })

  test('a limit of age belongs to the entry, where it is asked before anybody plays', async () => {
    const { api } = await makeEntryPage(server)
    const born = field('born', 'birth', 'toClaim', { minimumAge: 18 })
    const { body } = await api.call('PUT', '/campaigns/main/entry', {
      ...entrySettings,
      fields: [...entrySettings.fields, born],
    })
    assert.deepEqual(
      body.errors.map(({ pointer }: any) => pointer),
      ['/fields/3/minimumAge'],
    )
  })
})
