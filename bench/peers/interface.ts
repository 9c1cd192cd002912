// The API that all peers share: the shapes of requests and answers, and their settings.

export const env = process.env as Record<
  'PORT' | 'DATABASE_URL' | 'REDIS_URL' | 'SERVICE_TOKEN' | 'GAME_SECRET',
  string
>

const playerId = { type: 'string', minLength: 1, maxLength: 128 }

export const grantSchema = {
  body: {
    type: 'object',
    required: ['playerId', 'spinNumber'],
    properties: { playerId, spinNumber: { type: 'integer', minimum: 1, maximum: 1_000_000 } },
  },
  response: {
    200: { type: 'object', properties: { playerId: { type: 'string' }, spinCount: { type: 'integer' } } },
  },
}

export const linkSchema = {
  body: {
    type: 'object',
    required: ['playerId'],
    properties: { playerId, initialSpin: { type: 'integer', minimum: 0, maximum: 1_000_000 } },
  },
  response: {
    200: { type: 'object', properties: { link: { type: 'string' }, token: { type: 'string' } } },
  },
}

export const playSchema = {
  body: {
    type: 'object',
    required: ['session', 'playId'],
    properties: { session: { type: 'string', maxLength: 4096 }, playId: { type: 'string', maxLength: 36 } },
  },
}

export type GrantBody = { playerId: string; spinNumber: number }
export type LinkBody = { playerId: string; initialSpin?: number }
export type PlayBody = { session: string; playId: string }

export type Prize = { label: string; weight: number }

type Played = {
  playId: string
  playNumber: number
  playedAt: string
  /** Negative if nothing was won. */
  segment: number
  spinCount: number
}

/** A play in the shape that the game page expects. */
export function describePlay(play: Played, prizes: readonly Prize[]) {
  const prize = prizes[play.segment]
  const label = prize?.label ?? 'Nothing'
  return {
    play: {
      playId: play.playId,
      playNumber: play.playNumber,
      playedAt: play.playedAt,
      segment: play.segment,
      label,
      won: prize !== undefined,
      fallbackReason: prize === undefined ? 'out_of_stock' : null,
      prize: { kind: prize === undefined ? 'none' : 'handover', title: label },
    },
    spinCount: play.spinCount,
  }
}
