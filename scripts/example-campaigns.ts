import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'

const dayMs = 86_400_000

/** Days from today at which each campaign opens and closes, and how often its wheel was played. */
const campaigns = [
  { id: 'newsletter', name: 'Newsletter', from: -20, to: 40, plays: 40, priority: 0 },
  { id: 'birthday', name: 'Birthday week', from: -4, to: 3, plays: 24, priority: 10 },
  { id: 'advent', name: 'Advent', from: 13, to: 37, plays: 0, priority: 20 },
]

/** Campaigns with wheels of their own beside `main`, of which some were played. */
export async function addCampaigns(
  { url, token }: { url: string; token: string },
  publishAs: (id: string, document: WheelDocument) => Promise<void>,
  wheel: WheelDocument,
): Promise<void> {
  for (const { id, name, from, to, plays, priority } of campaigns) {
    await publishAs(id, wheelOf(wheel, name))
    const dates = { opensAt: dayFromNow(from), closesAt: dayFromNow(to) }
    await call('campaigns', { campaign: id, name, wheel: id, priority, ...dates, texts: { en: { name } } })
    await call('grants', { playerId: 'ann', spins: 3, campaign: id })
    for (let player = 0; player < plays; player += 1) await play(`${id}-${player}`, id)
  }

  async function play(playerId: string, campaign: string): Promise<void> {
    const link = await call<{ token: string }>('links', { playerId, campaign, initialSpins: 1 })
    const { session, next, wheel: shown } = await call<Session>('game/session', { token: link.token })
    await call('game/plays', {
      session,
      playId: randomUUIDv7(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: next.commitment,
      versionHash: shown.hash,
    })
  }

  async function call<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: token,
        'Idempotency-Key': randomUUIDv7(),
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
}

type Session = { session: string; next: { commitment: string }; wheel: { hash: string } }

function wheelOf(wheel: WheelDocument, name: string): WheelDocument {
  const segments = wheel.segments.map((segment, index) =>
    segment.prize.kind === 'handover'
      ? { ...segment, weight: 10, stock: 40 + 20 * index, cost: 2.5 }
      : { ...segment, weight: 20 },
  )
  return { ...wheel, name, segments }
}

function dayFromNow(days: number): string {
  const day = new Date(Date.now() + days * dayMs)
  day.setUTCHours(0, 0, 0, 0)
  return day.toISOString()
}
