import { type Static, type TSchema, Type } from 'typebox'
import {
  idempotencyKeyLengthMax,
  playerIdLengthMax,
  reasonLengthMax,
  spinNumberCeiling,
} from '../../limits.ts'
import { wonFieldSchemas } from '../../prize-kinds/prize-field-schemas.ts'
import { type RefusalCode, refusals, refusalText } from '../../refusals.ts'
import { slugPattern } from '../../slug.ts'
import { Forced, Gate, VersionHash } from './proof-parts.ts'
import { hashPattern, playerIdPattern, textPattern, uuidPattern } from './patterns.ts'
import { withheldFields } from './withheld.ts'

/** The shapes of the API. They validate requests, write answers, type the handlers and make the OpenAPI document. */

export const PlayerId = Type.String({
  minLength: 1,
  maxLength: playerIdLengthMax,
  pattern: playerIdPattern,
  description:
    'Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. ' +
    'Any Unicode characters but control characters and lone surrogates, and no white space at either end.',
  examples: ['alice'],
})

export const IncreaseSpinBody = Type.Object({
  playerId: PlayerId,
  spinNumber: Type.Integer({
    minimum: 1,
    maximum: spinNumberCeiling,
    description: 'Number of spins to add.',
    examples: [5],
  }),
})

export const IncreaseSpinAnswer = Type.Object({
  playerId: Type.String({ description: "The player's identifier, as it was sent.", examples: ['alice'] }),
  spinCount: Type.Integer({
    description: 'The spins that the player can use now, after the addition.',
    examples: [5],
  }),
})
export type IncreaseSpinAnswer = Static<typeof IncreaseSpinAnswer>

// Visible ASCII. Two headers of this name arrive joined by a comma and a space, and are refused by the space.
const keyPattern = '^[\\x21-\\x7e]+$'

export const IdempotencyKey = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: idempotencyKeyLengthMax,
    pattern: keyPattern,
    description: `${description} 1 to 255 visible ASCII characters.`,
    examples: ['order-4711'],
  })

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    IdempotencyKey(
      'Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. ' +
        'Keys are kept for ever and belong to one player.',
    ),
  ),
})

/** For operations that must not happen twice by accident. */
export const RequiredKeyHeaders = Type.Object({
  'idempotency-key': IdempotencyKey(
    'Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever.',
  ),
})

export const GrantKey = IdempotencyKey(
  'The key of this grant alone, as in `Idempotency-Key` of increaseSpin.',
)

export const Time = Type.String({ format: 'date-time' })
export const MaybeTime = Type.Union([Time, Type.Null()])

/** In requests. Not a union: each of its members would report a mistake of its own. */
export const MaybeExpiry = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When the spins expire: in the future, and at most ten years away. Without it, or with `null`, after `spinLifetimeDays` of the campaign or the merchant, if there is one.',
    examples: ['2026-12-24T18:00:00Z'],
  }),
)

export const Reason = Type.String({
  minLength: 1,
  maxLength: reasonLengthMax,
  pattern: textPattern,
  description: 'The reason, for the record. It is kept for ever, so leave out personal data.',
  examples: ['wrong prize shown on Monday'],
})

export const GameLinkBody = Type.Object({
  playerId: PlayerId,
  initialSpin: Type.Optional(
    // Not a union: each of its members would report a mistake of its own.
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: spinNumberCeiling,
      description:
        'Spins for a newcomer: added once per player, by the first game-link request that names more than 0. `null` is the same as no value.',
      examples: [3],
    }),
  ),
})

export const GameLinkAnswer = Type.Object(
  {
    link: Type.String({
      format: 'uri',
      description: 'Address of the game for this player; it contains the token.',
    }),
    token: Type.String({ description: 'Signed token of the game session.' }),
  },
  { title: 'GameLink' },
)
export type GameLinkAnswer = Static<typeof GameLinkAnswer>

export const GameSessionBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 4096, description: 'The token from the game link.' }),
  session: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The session of a page that is already open and asks again: this is no new opening.',
    }),
  ),
  campaign: Type.Optional(
    Type.String({
      pattern: slugPattern,
      description: 'With a link to the lobby: the campaign to open. Without it, the best one for the player.',
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "The browser's, for free spins. Ignored if it is unknown, or if the link has one.",
    }),
  ),
})

const Hex64 = Type.String({ pattern: hashPattern })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const PrizeTexts = Type.Object(
  {
    label: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    instructions: Type.Optional(Type.String()),
  },
  { title: 'PrizeTexts' },
)

export const Play = Type.Object(
  {
    playId: Type.String({ format: 'uuid' }),
    playNumber: Type.Integer(),
    playedAt: Type.String({ format: 'date-time' }),
    segment: Type.Integer({
      description: 'Where the wheel comes to rest: an index into the segments of the version.',
    }),
    label: Type.String(),
    won: Type.Boolean(),
    fallbackReason: nullable(
      Type.String({
        description:
          'Why the drawn prize could not be given. `segment` is then the fallback. Null otherwise.',
      }),
    ),
    prize: Type.Object(
      {
        kind: Type.String(),
        title: nullable(Type.String()),
        instructions: nullable(Type.String()),
        ...wonFieldSchemas,
        claimBefore: nullable(Type.String({ format: 'date-time' })),
        ...withheldFields,
        translations: Type.Optional(
          Type.Record(Type.String(), PrizeTexts, {
            description: 'Label, title and instructions by language (BCP 47), if the merchant wrote several.',
          }),
        ),
      },
      { title: 'GamePrize' },
    ),
    proof: Type.Object(
      {
        serverSeed: Hex64,
        commitment: Hex64,
        playerSeed: Hex64,
        playNumber: Type.Integer(),
        versionHash: VersionHash,
        ticket: Type.Integer(),
        weightTotal: Type.Integer(),
        drawn: Type.Integer({ description: 'The segment that owns the ticket.' }),
        gates: Type.Optional(
          Type.Array(Gate, { description: 'The gates of paced prizes and of the budget that the play met.' }),
        ),
        forced: Type.Optional(Forced),
      },
      { title: 'PlayProof' },
    ),
  },
  { $id: 'GamePlay' },
)
export const PlayRef = Type.Unsafe<Static<typeof Play>>(Type.Ref('GamePlay'))

export const NextPlay = Type.Object(
  {
    playNumber: Type.Integer(),
    commitment: Type.String({ description: "SHA-256 of the server's seed for this play." }),
  },
  { title: 'NextPlay' },
)

export const PlayBody = Type.Object({
  session: Type.String({ minLength: 1, maxLength: 4096 }),
  playId: Type.String({
    pattern: uuidPattern,
    description: 'A UUID made by the browser. Repeating the id returns the same play.',
  }),
  playerSeed: Type.String({ pattern: hashPattern, description: "The player's own 32 random bytes." }),
  commitment: Type.String({
    pattern: hashPattern,
    description: 'The commitment that the player was shown.',
  }),
  versionHash: Type.String({
    pattern: hashPattern,
    description: 'The hash of the wheel that the player was shown.',
  }),
})
export type PlayBody = Static<typeof PlayBody>

export const FieldErrorSchema = Type.Object(
  {
    pointer: Type.String({
      description: 'JSON pointer to the wrong field, or the name of a parameter after a slash.',
    }),
    detail: Type.String(),
  },
  { title: 'FieldError' },
)
export type FieldError = Static<typeof FieldErrorSchema>

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Address of the explanation of this code.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    code: Type.String({
      description: 'The stable code of the refusal. Programs should use this one.',
      enum: Object.keys(refusals),
    }),
    requestId: Type.String({
      description: 'Names this request in the log; also in the header `X-Request-Id`.',
    }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later, unchanged.' }),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
    resumeAfter: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Only with `events_expired` and `events_ahead`: send it as `after` to continue with the oldest event in the log.',
      }),
    ),
    last: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Only with `events_expired` and `events_ahead`: the number of the newest event.',
      }),
    ),
    attemptsLeft: Type.Optional(
      Type.Integer({ description: 'With `code_wrong`: how often another code may be tried.' }),
    ),
    secondFactor: Type.Optional(
      Type.Object(
        {
          app: Type.Boolean({ description: 'Whether it accepts six digits as `code`.' }),
          recoveryCode: Type.Boolean(),
          passkey: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
            description:
              'The options for `navigator.credentials.get()`, as JSON; null if it accepts no passkey.',
          }),
        },
        {
          description: 'With `second_factor_needed`: what the account accepts for two-factor authentication.',
        },
      ),
    ),
  },
  { $id: 'Problem' },
)
export type ProblemAnswer = Static<typeof ProblemSchema>

const responses = new Map<string, Record<number, unknown>>()

/** The refusals that a route can answer with, by status, for its documentation. Most routes have the same ones. */
export function problemResponses(...codes: RefusalCode[]): Record<number, unknown> {
  return responses.getOrInsertComputed(codes.join(), () => describeRefusals(codes))
}

function describeRefusals(codes: RefusalCode[]): Record<number, unknown> {
  const byStatus = Map.groupBy(codes, (code) => refusalText(code).status)
  return Object.fromEntries(
    [...byStatus].map(([status, statusCodes]) => [
      status,
      {
        description: statusCodes.map((code) => `\`${code}\`: ${refusalText(code).title}.`).join(' '),
        content: { 'application/problem+json': { schema: Type.Ref('Problem') } },
      },
    ]),
  )
}

/** The refusals that any request with a service token can get. */
export const merchantRefusals: RefusalCode[] = [
  'body_malformed',
  'validation_failed',
  'token_missing',
  'token_malformed',
  'token_invalid',
  'token_expired',
  'token_revoked',
  'scope_missing',
  'merchant_suspended',
  'request_timeout',
  'body_too_large',
  'content_type_unsupported',
  'rate_limited',
  'failed_tokens_limited',
  'internal_error',
  'overloaded',
  'database_unavailable',
]
