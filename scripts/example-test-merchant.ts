import { randomUUIDv7 } from 'node:crypto'
import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'

/** Free spins each day, with extra ones for coming back. */
const freeSpins = {
  every: 'day',
  zone: 'player',
  bank: 2,
  streaks: [
    { length: 7, spins: 3 },
    { length: 14, spins: 5 },
  ],
}

/** Days on which a player opens the game. Berlin changes its clocks on the 28th. */
const visits = ['2027-03-23', '2027-03-24', '2027-03-25']

/**
 * Makes the test merchant of `demo`, whose clock shows March 2027, with free spins. Returns a link of a player who has
 * come on three days in a row.
 */
export async function addTestMerchant(
  { url, token }: { url: string; token: string },
  wheel: WheelDocument,
): Promise<string> {
  const test = await call<{ token: string }>('POST', 'test-merchant', {}, token)
  const inTest = <Answer>(method: string, path: string, body: object) =>
    call<Answer>(method, path, body, test.token)
  await inTest('PUT', 'wheels/main', wheel)
  await inTest('POST', 'wheels/main/publication', {})
  for (const day of visits) {
    await inTest('PUT', 'test/clock', { now: `${day}T09:12:00Z` })
    if (day === visits[0]) await inTest('PATCH', 'campaigns/main', { freeSpins })
    const game = await newLink()
    await inTest('POST', 'game/session', { token: game.token, timeZone: 'Europe/Berlin' })
  }
  return (await newLink()).link

  function newLink(): Promise<{ token: string; link: string }> {
    return inTest('POST', 'links', { playerId: 'kim', timeZone: 'Europe/Berlin' })
  }

  async function call<Answer>(method: string, path: string, body: object, caller: string): Promise<Answer> {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Authorization: caller,
        'Idempotency-Key': randomUUIDv7(),
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
}
