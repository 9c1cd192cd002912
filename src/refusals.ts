import {
  bodyBytesMax,
  passkeysPerAccountMax,
  passwordLengthMin,
  spinNumberCeiling,
  webhookResendsMax,
  webhooksPerMerchantMax,
} from './limits.ts'

/** What a caller did wrong, or can't have now: a stable code that becomes a problem document at the edge. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly detail: string | undefined
  readonly errors: readonly FieldError[] | undefined
  readonly resume: ResumePlace | undefined
  readonly headers: Readonly<Record<string, string>>
  /** With `second_factor_needed`: what the account takes. */
  readonly secondFactor: object | undefined

  constructor(
    code: RefusalCode,
    more: {
      detail?: string
      errors?: readonly FieldError[]
      resume?: ResumePlace
      headers?: Record<string, string>
      secondFactor?: object
      cause?: unknown
    } = {},
  ) {
    super(more.detail ?? refusals[code].title, { cause: more.cause })
    this.name = 'Refusal'
    this.code = code
    this.detail = more.detail
    this.errors = more.errors
    this.resume = more.resume
    this.secondFactor = more.secondFactor
    const { retryAfterSeconds } = refusalText(code)
    const wait = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    this.headers = { ...wait, ...more.headers }
  }
}

/** One wrong field: a JSON pointer into the request body, and what is wrong there. */
export type FieldError = { pointer: string; detail: string }

/** Where a reader of events can go on: `after` for its next request, and the number of the newest event. */
export type ResumePlace = { resumeAfter: number; last: number }

export type RefusalCode = keyof typeof refusals

type RefusalText = {
  status: number
  title: string
  cause: string
  cure: string
  retryable?: true
  /** How long to wait, where nobody knows better. */
  retryAfterSeconds?: number
}

/**
 * The one table of codes. It makes the problem documents, the page `/docs/errors` and `docs/errors.md`.
 * A code never changes its meaning; `retryable` says that the same request may succeed later, unchanged.
 */
export const refusals = {
  request_malformed: {
    status: 400,
    title: 'The request is not valid HTTP',
    cause: 'The request line or a header could not be parsed.',
    cure: 'Send the request with an ordinary HTTP/1.1 client.',
  },
  body_malformed: {
    status: 400,
    title: 'The body is not a JSON object',
    cause: 'The body is empty, is not valid UTF-8 or JSON, has a field `__proto__`, or is not an object.',
    cure: 'Send one JSON object, encoded as UTF-8.',
  },
  validation_failed: {
    status: 400,
    title: 'A field is missing, unknown or has a wrong value',
    cause:
      'At least one field of the body, or parameter of the query, does not fit the schema; `errors` names each with a JSON pointer.',
    cure: 'Correct the named fields. Numbers are JSON numbers, not strings.',
  },
  idempotency_key_malformed: {
    status: 400,
    title: 'The Idempotency-Key header is malformed',
    cause:
      'The key is empty, longer than 255 characters, sent twice, or has other than visible ASCII characters.',
    cure: 'Send one key of 1 to 255 visible ASCII characters, a UUID for example.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    cause: 'The operation is one that must not happen twice by accident, so it takes a key from everybody.',
    cure: 'Send one key of 1 to 255 visible ASCII characters, and the same one when you repeat the request.',
  },
  token_missing: {
    status: 401,
    title: 'The service token is missing',
    cause: 'The request has no Authorization header.',
    cure: 'Send the service token as the whole value of the Authorization header.',
  },
  token_malformed: {
    status: 401,
    title: 'The service token is malformed',
    cause: 'The Authorization header is not one `<identifier>:<64 hexadecimal digits>`.',
    cure: 'Send the token exactly as it was issued: one header, no `Bearer` or other prefix, no quotes.',
  },
  token_invalid: {
    status: 401,
    title: 'The service token is not valid',
    cause: 'The identifier is unknown or the secret is wrong; the answer does not tell which.',
    cure: 'Check for a cut-off token or another environment; issue a new one with `wheelhouse token issue`.',
  },
  token_expired: {
    status: 401,
    title: 'The service token has expired',
    cause: 'The token had an expiry date, which has passed.',
    cure: 'Issue a new token with `wheelhouse token issue` or `wheelhouse token rotate`.',
  },
  token_revoked: {
    status: 401,
    title: 'The service token was revoked',
    cause: 'Somebody revoked this token.',
    cure: 'Use another live token, or issue a new one.',
  },
  ticket_invalid: {
    status: 401,
    title: 'The ticket for the live stream is not valid',
    cause: 'The ticket is unknown, older than 60 seconds, or was used for a connection before.',
    cure: 'Ask for a new one with `POST /api/v1/events/tickets`, and connect with it at once.',
  },
  session_missing: {
    status: 401,
    title: 'Nobody is signed in',
    cause: 'The request has no session of the console, or one that has ended.',
    cure: 'Sign in at `/console`.',
  },
  sign_in_failed: {
    status: 401,
    title: 'The address or the password is wrong',
    cause: 'There is no account with this address and password; the answer does not tell which is wrong.',
    cure: 'Try again, or ask an operator for a reset: `wheelhouse staff reset`.',
  },
  second_factor_needed: {
    status: 401,
    title: 'The account has a second factor',
    cause: 'The password is right, and the account asks for a second factor too.',
    cure: 'Send the same again with `code`, `recoveryCode` or `passkey`; `secondFactor` says which the account takes.',
  },
  second_factor_wrong: {
    status: 401,
    title: 'The second factor is wrong or was used before',
    cause:
      'The six digits are not those of this moment, the recovery code is wrong, or it was used already; or the passkey is not one of this account.',
    cure: 'Wait for the next six digits and check the clock of the phone, or use another recovery code.',
  },
  passkey_refused: {
    status: 401,
    title: 'The passkey was not accepted',
    cause: 'The passkey is not known here, its answer does not verify, or it came too late.',
    cure: 'Try again, or sign in with the password.',
  },
  game_token_invalid: {
    status: 401,
    title: 'The game link is not valid',
    cause: 'The game token is cut off, altered, or was signed by another server or with a revoked key.',
    cure: 'Ask for a new link with `POST /api/game/sso`.',
  },
  game_token_expired: {
    status: 401,
    title: 'The game link has expired',
    cause: 'The link was older than the lifetime that the merchant set.',
    cure: 'Ask for a new link with `POST /api/game/sso`.',
  },
  game_token_revoked: {
    status: 401,
    title: 'The game link was revoked',
    cause: 'This link, all links of the player, or all links of the merchant were revoked.',
    cure: 'Ask for a new link with `POST /api/game/sso`.',
  },
  scope_missing: {
    status: 403,
    title: 'The service token lacks the scope for this operation',
    cause: 'The token is valid, but was issued without the scope that the operation needs.',
    cure: 'Use a token with that scope; `wheelhouse token list` shows the scopes.',
  },
  sign_in_not_recent: {
    status: 403,
    title: 'Show the password again',
    cause: 'The sign-in was more than ten minutes ago, and the request changes how you sign in.',
    cure: 'Send the same again with your password, or sign in again.',
  },
  role_missing: {
    status: 403,
    title: 'Your role does not allow this',
    cause: 'You are signed in, but your role at this merchant may not make this change.',
    cure: 'Ask an owner of the merchant for another role.',
  },
  service_token_needed: {
    status: 403,
    title: 'This operation takes service tokens only',
    cause: 'The request has a session of the console. People use the operations that ask for a reason.',
    cure: 'Use `POST /api/v1/players/{playerId}/grants` or `POST /api/v1/players/{playerId}/links`.',
  },
  origin_refused: {
    status: 403,
    title: 'The request comes from another site',
    cause: 'A change with a session of the console must come from a page of this server.',
    cure: 'Use the console itself; programs use a service token instead.',
  },
  merchant_suspended: {
    status: 403,
    title: 'The merchant is suspended',
    cause: 'The operator suspended this merchant.',
    cure: 'Ask the operator; `wheelhouse merchant resume` ends it.',
  },
  player_blocked: {
    status: 403,
    title: 'The player is blocked',
    cause: 'The player was blocked by the merchant or the operator.',
    cure: 'Unblock the player with `wheelhouse player unblock`.',
  },
  route_not_found: {
    status: 404,
    title: 'There is nothing at this path',
    cause: 'The path is misspelt. Paths are case-sensitive and have no trailing slash.',
    cure: 'Compare the path with the API reference at `/docs`.',
  },
  player_not_found: {
    status: 404,
    title: 'There is no such player',
    cause:
      'The merchant has no player of this id; with strict players switched on, one without a game link can get no spins.',
    cure: 'Check the id, which is compared byte for byte; ask for a game link first, or switch strict players off.',
  },
  play_not_found: {
    status: 404,
    title: 'There is no such play',
    cause: 'No player of the merchant has a play of this id, or it has not won a prize that can be settled.',
    cure: 'List plays with `GET /api/v1/plays`, and prizes with `GET /api/v1/prizes`.',
  },
  token_not_found: {
    status: 404,
    title: 'There is no such service token',
    cause: 'The merchant has no token with this identifier.',
    cure: 'List the tokens with `GET /api/v1/tokens`; the identifier is the part before the colon.',
  },
  code_pool_not_found: {
    status: 404,
    title: 'There is no such code pool',
    cause: 'The merchant has no pool of this name.',
    cure: 'List the pools with `GET /api/v1/code-pools`.',
  },
  wheel_not_found: {
    status: 404,
    title: 'There is no such wheel',
    cause: 'The merchant has no wheel of this id, or no published version with this hash.',
    cure: 'List the wheels with `GET /api/v1/wheels`.',
  },
  webhook_not_found: {
    status: 404,
    title: 'There is no such webhook',
    cause: 'The merchant has no webhook of this id.',
    cure: 'List the webhooks with `GET /api/v1/webhooks`.',
  },
  resend_not_found: {
    status: 404,
    title: 'There is no such resend',
    cause: 'The webhook has no resend of this id. Finished ones are kept for some days.',
    cure: 'List the resends with `GET /api/v1/webhooks/{webhook}/resends`.',
  },
  event_not_found: {
    status: 404,
    title: 'There is no such event to send',
    cause: 'The log has no event of this number, or not any more; or none of them was given up.',
    cure: 'Compare the numbers with `GET /api/v1/webhooks/{webhook}/deliveries` and `GET /api/v1/events`.',
  },
  merchant_not_found: {
    status: 404,
    title: 'There is no such merchant for you',
    cause: 'The header `Wheelhouse-Merchant` is missing, or names no merchant that you work for.',
    cure: 'Choose one of the merchants that `GET /api/v1/session` lists.',
  },
  staff_not_found: {
    status: 404,
    title: 'There is no such person here',
    cause: 'Nobody with this id works for the merchant, or the session or invitation is over.',
    cure: 'List the staff with `GET /api/v1/staff`.',
  },
  passkey_not_found: {
    status: 404,
    title: 'There is no such passkey',
    cause: 'Your account has no passkey of this id.',
    cure: 'List them with `GET /api/v1/account/sign-in-methods`.',
  },
  invitation_invalid: {
    status: 404,
    title: 'The invitation does not work any more',
    cause: 'The link was used before, has expired, was withdrawn, or is cut off.',
    cure: 'Ask for a new one from whoever sent it; `wheelhouse staff invite` makes one.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    cause: 'The path exists, but for other methods; the `Allow` header lists them.',
    cure: 'Use a method from the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'Headers or body were not complete within the time limit.',
    cure: 'Send the whole request at once.',
    retryable: true,
  },
  no_spins: {
    status: 409,
    title: 'The player has no spins left',
    cause: 'A play costs one spin, and the balance is zero. Nothing was changed.',
    cure: 'Give the player spins with `POST /api/player/increaseSpin`.',
  },
  wheel_paused: {
    status: 409,
    title: 'The wheel is paused',
    cause: 'The merchant has paused the wheel. Nothing was changed.',
    cure: 'Come back later; `wheelhouse wheel resume` ends the pause.',
  },
  wheel_closed: {
    status: 409,
    title: 'The wheel is closed',
    cause: 'The wheel is outside its opening times. Nothing was changed.',
    cure: 'Come back when it is open; the session tells when that is.',
  },
  play_ambiguous: {
    status: 409,
    title: 'Two players have a play of this id',
    cause: "Play ids are made by players' browsers, and a player has used the id of another.",
    cure: 'Say which player you mean, with the query parameter `playerId`.',
  },
  player_erased: {
    status: 409,
    title: 'The name of the player was erased',
    cause: 'A pseudonym stands in the place of its id, and stays blocked. Nothing was changed.',
    cure: 'A person who comes back starts as a new player.',
  },
  prize_settled: {
    status: 409,
    title: 'The prize is settled already',
    cause: 'The prize was redeemed, cancelled or has expired, which is final. Nothing was changed.',
    cure: 'Read the prize to see what became of it, when, and by whom.',
  },
  prize_expired: {
    status: 409,
    title: 'The prize was not claimed in time',
    cause: 'The time in which the prize could be claimed is over. Nothing was changed.',
    cure: 'Give the player something else, spins for example.',
  },
  play_outdated: {
    status: 409,
    title: 'The play does not fit the game as it stands now',
    cause:
      'Another play came first, or the wheel was changed, since the session was read. Nothing was changed.',
    cure: 'Open the session again and play with a new id, a new seed and the new commitment.',
  },
  webhook_limit_reached: {
    status: 409,
    title: 'The merchant has as many webhooks as it may have',
    cause: `A merchant can have ${webhooksPerMerchantMax} webhooks at most.`,
    cure: 'Delete one that is not needed, or let one receiver take more types.',
  },
  resend_limit_reached: {
    status: 409,
    title: 'Too many resends of this webhook are unfinished',
    cause: `At most ${webhookResendsMax} resends of a webhook are carried out at once.`,
    cure: 'Wait until one is finished; `GET …/resends` lists them. One resend can cover a longer range.',
  },
  webhook_secret_withheld: {
    status: 409,
    title: 'The webhook was made already, and its secret is not shown again',
    cause:
      'A request with this key made a webhook. Its secret is shown again only to the same caller, within a day, and until it is rotated.',
    cure: 'Find the webhook in the list. If you lost its secret, rotate it.',
  },
  events_ahead: {
    status: 409,
    title: 'There is no event of this number yet',
    cause:
      'The number in `after` is greater than that of the newest event: it is from another server, or the database was restored from a backup.',
    cure: 'Send `resumeAfter` of this answer as `after`: it begins with the oldest event that is kept. Drop what you have seen by its `id`.',
  },
  events_expired: {
    status: 410,
    title: 'The next events are deleted already',
    cause: 'Events are kept for a time (30 days by default), and those after `after` are older.',
    cure: 'Send `resumeAfter` of this answer as `after`: it begins with the oldest event that is kept. The events before it are lost to this reader.',
  },
  account_exists: {
    status: 409,
    title: 'There is an account with this address already',
    cause: 'An invitation never changes an account by itself.',
    cure: 'Sign in with that account first, and open the link again.',
  },
  merchant_exists: {
    status: 409,
    title: 'There already is such a merchant',
    cause: 'Another merchant has this id.',
    cure: 'Choose another id.',
  },
  mail_not_set: {
    status: 409,
    title: 'This server sends no mail',
    cause: 'The operator has set no SMTP server.',
    cure: 'Ask the operator for a link to a new password.',
  },
  passkeys_unavailable: {
    status: 409,
    title: 'Passkeys do not work at this address',
    cause: 'Browsers take passkeys only for a domain name with https, or for `localhost`.',
    cure: 'The operator sets `PUBLIC_URL` to such an address.',
  },
  passkey_limit_reached: {
    status: 409,
    title: 'The account has as many passkeys as it may have',
    cause: `An account can have ${passkeysPerAccountMax} passkeys at most.`,
    cure: 'Remove one that is not needed.',
  },
  second_factor_off: {
    status: 409,
    title: 'The account has no second factor',
    cause: 'Recovery codes stand in for a second factor, and there is none.',
    cure: 'Add an authenticator app or a passkey first.',
  },
  last_owner: {
    status: 409,
    title: 'A merchant needs an owner',
    cause: 'This is the only owner that the merchant has.',
    cure: 'Make somebody else an owner first.',
  },
  settings_changed: {
    status: 412,
    title: 'Somebody else has changed the settings',
    cause: 'The `If-Match` header names other settings than the newest ones.',
    cure: 'Read the settings again, and apply your change to them.',
  },
  draft_changed: {
    status: 412,
    title: 'Somebody else has changed the draft',
    cause: 'The `If-Match` header names another revision than the newest one.',
    cure: 'Read the draft again, and apply your change to it.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: `The body is larger than the operation takes: ${bodyBytesMax} bytes for most.`,
    cure: 'Send only the documented fields.',
  },
  content_type_unsupported: {
    status: 415,
    title: 'The body is not plain application/json',
    cause:
      'The Content-Type header is missing, names another type or another charset than UTF-8, or there is a Content-Encoding.',
    cure: 'Send `Content-Type: application/json`, in UTF-8 and not compressed.',
  },
  balance_limit_exceeded: {
    status: 422,
    title: 'The balance would pass its ceiling',
    cause:
      'A player can hold at most 1,000,000,000 spins; the addition would pass that and was refused whole.',
    cure: 'Add fewer spins.',
  },
  balance_too_low: {
    status: 422,
    title: 'The balance would fall below zero',
    cause: 'The correction takes away more spins than the player has. Nothing was changed.',
    cure: 'Take away at most what the player has.',
  },
  grant_limit_exceeded: {
    status: 422,
    title: 'The number of spins is above what this merchant allows in one call',
    cause: `The merchant has set a ceiling for one call below ${spinNumberCeiling}.`,
    cure: 'Add fewer spins, or raise the ceiling with `wheelhouse merchant set --grant-max`.',
  },
  daily_grant_limit_exceeded: {
    status: 422,
    title: 'The player would get more spins today than this merchant allows',
    cause: 'The merchant has set a ceiling per player and day (UTC); the addition would pass it.',
    cure: 'Wait until the next day (UTC), or raise the ceiling with `wheelhouse merchant set --daily-grant-max`.',
  },
  staff_grant_limit_exceeded: {
    status: 422,
    title: 'You would give more spins today than your role allows',
    cause:
      "What a person gives on one day of the merchant's time zone has a ceiling; grants, corrections upwards and imports count.",
    cure: 'Wait until tomorrow, or ask an owner: the ceiling for support is a setting of the merchant.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used with another request',
    cause: 'The same key came before with another number of spins, or with another batch.',
    cure: 'Use a new key for a new request; repeat the first one unchanged to get its answer.',
  },
  wheel_not_publishable: {
    status: 422,
    title: 'The wheel would not work',
    cause:
      'At least one thing about the draft would go wrong in the game; `errors` names each with a JSON pointer.',
    cure: 'Correct the draft and publish again. `POST …/simulation` checks without publishing.',
  },
  password_too_easy: {
    status: 422,
    title: 'The password is too easy to guess',
    cause: `The password has fewer than ${passwordLengthMin} characters, is a common one or close to one, or is made of words about its owner. \`detail\` says which.`,
    cure: 'Take four words that have nothing to do with each other, or let a password manager make one.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The service token, or the player, used up its quota; the `RateLimit` header tells when it is renewed.',
    cure: 'Wait for `Retry-After` seconds.',
    retryable: true,
  },
  event_readers_limited: {
    status: 429,
    title: 'Too many readers wait for events',
    cause:
      'The merchant, or all merchants together, have as many requests waiting for events as the server takes on.',
    cure: 'Read with fewer connections; one that waits is told as soon as many.',
    retryable: true,
  },
  failed_tokens_limited: {
    status: 429,
    title: 'Too many requests with wrong tokens from this address',
    cause: 'The token is wrong, and this address has sent too many wrong ones within a minute.',
    cure: 'Correct the token. Right tokens from the same address still work.',
    retryable: true,
  },
  sign_in_delayed: {
    status: 429,
    title: 'Too many failed attempts to sign in',
    cause:
      'After several failures from one place, each further attempt has to wait, for any account in the end.',
    cure: 'Wait for `Retry-After` seconds. A browser in which you have signed in before is not held up by others.',
    retryable: true,
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The request line and headers together are too large.',
    cure: 'Send fewer and shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    cause: 'A mistake in Wheelhouse; the log has the details under the request id.',
    cure: 'Repeat the request with the same idempotency key, and report the request id.',
    retryable: true,
  },
  overloaded: {
    status: 503,
    title: 'The server is busy',
    cause:
      'More work is under way than the server takes on, or the request waited too long for its turn; `detail` says which.',
    cure: 'Repeat the request with the same idempotency key after `Retry-After` seconds.',
    retryable: true,
    retryAfterSeconds: 1,
  },
  database_unavailable: {
    status: 503,
    title: 'The database does not answer',
    cause: 'The database could not be reached, or not in time. Whether the change was made is not known.',
    cure: 'Repeat the request with the same idempotency key after `Retry-After` seconds.',
    retryable: true,
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, RefusalText>

export function refusalText(code: RefusalCode): RefusalText {
  return refusals[code]
}

/** Why the server turns a request away unchanged. */
const overloads = {
  requests: 'More requests are under way than the server takes on.',
  queue: 'More requests wait in the queue than the server takes on, of this merchant or of all.',
  wait: 'The request waited too long in the queue. Nothing was changed.',
  stop: 'The server is about to stop.',
  exports: 'More exports are under way than the server takes on.',
  batches: 'More batches are under way than the server takes on.',
}

/** Made once for each reason: under a flood, making one for each request took longer than sending it. */
export function overloaded(reason: keyof typeof overloads): Refusal {
  return (refusalsMade[reason] ??= new Refusal('overloaded', { detail: overloads[reason] }))
}

const refusalsMade: Partial<Record<keyof typeof overloads, Refusal>> = {}
