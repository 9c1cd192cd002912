import {
  bodyBytesMax,
  clockAheadYearsMax,
  clockStepYearsMax,
  testMerchantsMax,
  passkeysPerAccountMax,
  passwordLengthMin,
  spinNumberCeiling,
  webhookResendsMax,
  webhooksPerMerchantMax,
} from './limits.ts'
import { campaignRefusals } from './campaign-refusals.ts'
import { entryRefusals } from './entry-refusals.ts'
import { merchantQuotas } from './merchant-quotas.ts'

/** A refused request: a stable code, which the HTTP layer turns into a problem document. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly detail: string | undefined
  readonly errors: readonly FieldError[] | undefined
  readonly resume: ResumePlace | undefined
  readonly headers: Readonly<Record<string, string>>
  /** With `second_factor_needed`: what the account accepts for two-factor authentication. */
  readonly secondFactor: object | undefined
  /** With `code_wrong`: how often another code may be tried. */
  readonly attemptsLeft: number | undefined

  constructor(
    code: RefusalCode,
    more: {
      detail?: string
      errors?: readonly FieldError[]
      resume?: ResumePlace
      headers?: Record<string, string>
      secondFactor?: object
      attemptsLeft?: number
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
    this.attemptsLeft = more.attemptsLeft
    const { retryAfterSeconds } = refusalText(code)
    const wait = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    this.headers = { ...wait, ...more.headers }
  }
}

/** One wrong field: a JSON pointer into the request body, and the problem there. */
export type FieldError = { pointer: string; detail: string }

/** Where a reader of events can continue: `after` for its next request, and the number of the newest event. */
export type ResumePlace = { resumeAfter: number; last: number }

export type RefusalCode = keyof typeof refusals

type RefusalText = {
  status: number
  title: string
  cause: string
  cure: string
  retryable?: true
  /** The default wait, if the thrower does not know a better one. */
  retryAfterSeconds?: number
}

/**
 * All codes. The problem documents, the page `/docs/errors` and `docs/errors.md` are made from this table. A code
 * never changes its meaning. `retryable`: the same request may succeed later, unchanged.
 */
export const refusals = {
  request_malformed: {
    status: 400,
    title: 'The request is not valid HTTP',
    cause:
      'The request line or a header could not be parsed, the path or query is not UTF-8, or the method is not supported.',
    cure: 'Send the request with an ordinary HTTP/1.1 client.',
  },
  request_incomplete: {
    status: 400,
    title: 'The request was cut off',
    cause: 'The client, or a proxy on the way, closed the connection before the whole request had arrived.',
    cure: 'Repeat the request with the same idempotency key. If it happens again, check that `Content-Length` is right.',
    retryable: true,
  },
  body_malformed: {
    status: 400,
    title: 'The body could not be read',
    cause: 'The body is empty, not UTF-8, not JSON, not an object, or has a field twice or `__proto__`.',
    cure: 'Send one JSON object, encoded as UTF-8.',
  },
  validation_failed: {
    status: 400,
    title: 'A field is missing, unknown or has a wrong value',
    cause:
      'At least one field of the body, or parameter of the query, does not match the schema. `errors` lists each one with a JSON pointer.',
    cure: 'Correct the named fields. Numbers are JSON numbers, not strings.',
  },
  idempotency_key_malformed: {
    status: 400,
    title: 'The Idempotency-Key header is malformed',
    cause:
      'The key is empty, is longer than 255 characters, is sent twice, or contains characters other than visible ASCII.',
    cure: 'Send one key of 1 to 255 visible ASCII characters, for example a UUID.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    cause: 'This operation must not happen twice by accident, so every request needs a key.',
    cure: 'Send a key of 1 to 255 visible ASCII characters. Use the same key when you repeat the request.',
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
    cause: 'The Authorization header does not have the form `<identifier>:<64 hexadecimal digits>`.',
    cure: 'Send the token exactly as it was issued, in one header, without `Bearer` or another prefix, and without quotes.',
  },
  token_invalid: {
    status: 401,
    title: 'The service token is not valid',
    cause: 'The identifier is unknown or the secret is wrong. The answer does not say which.',
    cure: 'Check that the token is complete and belongs to this environment, or issue a new one with `wheelhouse token issue`.',
  },
  token_expired: {
    status: 401,
    title: 'The service token has expired',
    cause: 'The expiry date of the token has passed.',
    cure: 'Issue a new token with `wheelhouse token issue` or `wheelhouse token rotate`.',
  },
  token_revoked: {
    status: 401,
    title: 'The service token was revoked',
    cause: 'The token was revoked, or its test merchant was removed.',
    cure: 'Use another valid token, or issue a new one.',
  },
  ticket_invalid: {
    status: 401,
    title: 'The ticket for the live stream is not valid',
    cause: 'The ticket is unknown, is older than 60 seconds, or was already used for a connection.',
    cure: 'Request a new ticket with `POST /api/v1/events/tickets`, and connect with it at once.',
  },
  session_missing: {
    status: 401,
    title: 'You are not signed in',
    cause: 'The request has no console session, or the session has ended.',
    cure: 'Sign in at `/console`.',
  },
  sign_in_failed: {
    status: 401,
    title: 'The address or the password is wrong',
    cause: 'No account has this address and password. The answer does not say which of them is wrong.',
    cure: 'Try again, or ask an operator for a reset: `wheelhouse staff reset`.',
  },
  second_factor_needed: {
    status: 401,
    title: 'Two-factor authentication is required',
    cause: 'The password is correct, and the account uses two-factor authentication.',
    cure: 'Repeat the request with `code`, `recoveryCode` or `passkey`. `secondFactor` says which of them the account accepts.',
  },
  second_factor_wrong: {
    status: 401,
    title: 'The code or passkey is wrong or was used before',
    cause:
      'The six-digit code is not the current one, the recovery code is wrong, the code was already used, or the passkey does not belong to this account.',
    cure: 'Wait for the next six-digit code and check the clock of your phone, or use another recovery code.',
  },
  passkey_refused: {
    status: 401,
    title: 'The passkey was not accepted',
    cause: 'The passkey is unknown, its signature is not valid, or the answer came too late.',
    cure: 'Try again, or sign in with the password.',
  },
  game_token_invalid: {
    status: 401,
    title: 'The game link is not valid',
    cause: 'The game token is incomplete or altered, or was signed by another server or with a revoked key.',
    cure: 'Request a new link with `POST /api/game/sso`.',
  },
  game_token_expired: {
    status: 401,
    title: 'The game link has expired',
    cause: 'The link is older than the lifetime that the merchant has set.',
    cure: 'Request a new link with `POST /api/game/sso`.',
  },
  game_token_revoked: {
    status: 401,
    title: 'The game link was revoked',
    cause: 'This link, or all links of the player or merchant, were revoked, or the player was erased.',
    cure: 'Request a new link with `POST /api/game/sso`.',
  },
  scope_missing: {
    status: 403,
    title: 'The service token lacks the scope for this operation',
    cause: 'The token is valid, but does not have the scope that this operation needs.',
    cure: 'Use a token with that scope. `wheelhouse token list` shows the scopes.',
  },
  test_merchant_needed: {
    status: 403,
    title: 'This operation is for test merchants',
    cause: 'The token or session belongs to a live merchant. Its clock and its data are never replaced.',
    cure: 'Use a token of the test merchant, whose id begins with `test-`. `POST /api/v1/test-merchant` creates it.',
  },
  test_merchant_limit_reached: {
    status: 409,
    title: 'The merchant has reached its limit of test merchants',
    cause: `A merchant can have at most ${testMerchantsMax} test merchants.`,
    cure: 'Remove one that is not needed, with `DELETE /api/v1/test-merchant?test=…`.',
  },
  live_merchant_needed: {
    status: 403,
    title: 'This operation is for live merchants',
    cause: 'The token or session belongs to a test merchant, which has none of its own.',
    cure: 'Use a token of the live merchant.',
  },
  sign_in_not_recent: {
    status: 403,
    title: 'Enter your password again',
    cause: 'You signed in more than ten minutes ago, and this request changes how you sign in.',
    cure: 'Repeat the request with your password, or sign in again.',
  },
  role_missing: {
    status: 403,
    title: 'Your role does not allow this',
    cause: 'You are signed in, but your role at this merchant does not permit this request.',
    cure: 'Ask an owner of the merchant for another role.',
  },
  service_token_needed: {
    status: 403,
    title: 'This operation accepts service tokens only',
    cause: 'The request has a console session. People must use the operations that require a reason.',
    cure: 'Use `POST /api/v1/players/{playerId}/grants` or `POST /api/v1/players/{playerId}/links`.',
  },
  origin_refused: {
    status: 403,
    title: 'The request comes from another site',
    cause: 'A change made with a console session must come from a page of this server.',
    cure: 'Use the console. A program must use a service token instead.',
  },
  merchant_suspended: {
    status: 403,
    title: 'The merchant is suspended',
    cause: 'The operator has suspended this merchant.',
    cure: 'Ask the operator. `wheelhouse merchant resume` ends the suspension.',
  },
  token_bound: {
    status: 403,
    title: 'The service token is bound to one campaign',
    cause: 'The request names another campaign, or is about the whole merchant. Nothing was changed.',
    cure: 'Leave `campaign` out, or use a token of that campaign or one that is not bound.',
  },
  player_blocked: {
    status: 403,
    title: 'The player is blocked',
    cause: 'The player was blocked by the merchant or the operator.',
    cure: 'Unblock the player in the console, or with `DELETE /api/v1/players/{playerId}/block`.',
  },
  route_not_found: {
    status: 404,
    title: 'The path does not exist',
    cause: 'The API has no such path. Paths are case-sensitive and have no trailing slash.',
    cure: 'Compare the path with the API reference at `/docs`.',
  },
  player_not_found: {
    status: 404,
    title: 'The player does not exist',
    cause:
      'The merchant has no player with this id. If strict players are switched on, a player without a game link cannot get spins.',
    cure: 'Check the id, which is compared byte by byte. Request a game link first, or switch strict players off.',
  },
  play_not_found: {
    status: 404,
    title: 'The play does not exist',
    cause: 'No player of the merchant has a play with this id, or it won no prize that can be settled.',
    cure: 'List plays with `GET /api/v1/plays`, and prizes with `GET /api/v1/prizes`.',
  },
  token_not_found: {
    status: 404,
    title: 'The service token does not exist',
    cause: 'The merchant has no token with this identifier.',
    cure: 'List the tokens with `GET /api/v1/tokens`. The identifier is the part before the colon.',
  },
  code_pool_not_found: {
    status: 404,
    title: 'The code pool does not exist',
    cause: 'The merchant has no pool with this name.',
    cure: 'List the pools with `GET /api/v1/code-pools`.',
  },
  wheel_not_found: {
    status: 404,
    title: 'The wheel does not exist',
    cause: 'The merchant has no wheel with this id, or no published version with this hash.',
    cure: 'List the wheels with `GET /api/v1/wheels`.',
  },
  run_not_found: {
    status: 404,
    title: 'The run does not exist',
    cause: 'The wheel has no run of this prize or budget, or no published pace has this commitment.',
    cure: 'Publish a wheel with a pace. Commitments are in the published text of a wheel: `segments[].pace` or `budget`.',
  },
  campaign_not_found: {
    status: 404,
    title: 'The campaign does not exist',
    cause: 'The merchant has no campaign with this id.',
    cure: 'List the campaigns with `GET /api/v1/campaigns`. The campaign of every merchant is `main`.',
  },
  nothing_scheduled: {
    status: 404,
    title: 'Nothing is scheduled',
    cause: 'The publication was cancelled or has happened already.',
    cure: 'Read the wheel: `publishedVersion` is the version that is played.',
  },
  webhook_not_found: {
    status: 404,
    title: 'The webhook does not exist',
    cause: 'The merchant has no webhook with this id.',
    cure: 'List the webhooks with `GET /api/v1/webhooks`.',
  },
  resend_not_found: {
    status: 404,
    title: 'The resend does not exist',
    cause: 'The webhook has no resend with this id. Finished resends are deleted after some days.',
    cure: 'List the resends with `GET /api/v1/webhooks/{webhook}/resends`.',
  },
  event_not_found: {
    status: 404,
    title: 'There is no such event',
    cause:
      'The log has no event with this id or number, or the event was deleted. A resend without `only: "all"` finds dead letters only.',
    cure: 'Compare the numbers with `GET /api/v1/webhooks/{webhook}/deliveries` and `GET /api/v1/events`.',
  },
  merchant_not_found: {
    status: 404,
    title: 'The merchant does not exist, or you do not work for it',
    cause: 'The header `Wheelhouse-Merchant` is missing, or does not name a merchant that you work for.',
    cure: 'Choose one of the merchants that `GET /api/v1/session` lists.',
  },
  staff_not_found: {
    status: 404,
    title: 'The person, session or invitation does not exist',
    cause: 'The merchant has no staff member with this id, or the session or invitation has ended.',
    cure: 'List the staff with `GET /api/v1/staff`.',
  },
  passkey_not_found: {
    status: 404,
    title: 'The passkey does not exist',
    cause: 'Your account has no passkey with this id.',
    cure: 'List your passkeys with `GET /api/v1/account/sign-in-methods`.',
  },
  invitation_invalid: {
    status: 404,
    title: 'The invitation is no longer valid',
    cause: 'The link was already used, has expired, was withdrawn, or is incomplete.',
    cure: 'Ask the sender for a new invitation. `wheelhouse staff invite` creates one.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not allow this method',
    cause: 'The path exists, but not for this method. The `Allow` header lists the allowed methods.',
    cure: 'Use a method from the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The headers or the body were not complete within the time limit.',
    cure: 'Send the whole request at once.',
    retryable: true,
  },
  wheel_not_tested: {
    status: 409,
    title: 'The wheel is not published at the test merchant',
    cause: 'Only the version that can be played at the test merchant is promoted, and there is none.',
    cure: 'Publish the wheel at the test merchant first.',
  },
  no_spins: {
    status: 409,
    title: 'The player has no spins left',
    cause: 'A play costs one spin, and the balance is zero. Nothing was changed.',
    cure: 'Give the player spins with `POST /api/player/increaseSpin`.',
  },
  expiry_out_of_range: {
    status: 422,
    title: 'Spins cannot expire at this time',
    cause: '`expiresAt` is in the past, or more than ten years away. Nothing was changed.',
    cure: 'Send a time in the future, at most ten years away.',
  },
  free_spins_over_limit: {
    status: 422,
    title: 'The rule would give too many free spins',
    cause:
      "A player could collect more spins at once than the merchant's `grantMax`, or more in a day than its `dailyGrantMax`. Nothing was changed.",
    cure: 'Give fewer spins, keep them for fewer periods, or raise the limit.',
  },
  lot_limit_reached: {
    status: 422,
    title: 'The player has too many grants that expire',
    cause: 'The player has 1,000 grants with unused spins that expire. Nothing was changed.',
    cure: 'Grant fewer and larger amounts, or spins that never expire.',
  },
  wheel_paused: {
    status: 409,
    title: 'The wheel is paused',
    cause: 'The merchant has paused the wheel. Nothing was changed.',
    cure: 'Try again later. The console ends the pause, or `DELETE /api/v1/wheels/{wheel}/pause`.',
  },
  wheel_closed: {
    status: 409,
    title: 'The wheel is closed',
    cause: 'The wheel is not open now, or its campaign has ended (see `detail`). Nothing was changed.',
    cure: 'Try again when the wheel is open. The session says when that is.',
  },
  token_not_bindable: {
    status: 409,
    title: 'A token with the scope `manage` cannot be bound to a campaign',
    cause: 'Such a token may change every campaign, so binding it would protect nothing.',
    cure: 'Leave out the scope `manage`, or the campaign.',
  },
  wheel_exists: {
    status: 409,
    title: 'The wheel already exists',
    cause:
      'A copy of a campaign gets a copy of its wheel with the same id, and there is such a wheel. Nothing was changed.',
    cure: 'Choose another id, or let the copy share the wheel.',
  },
  ...campaignRefusals,
  forced_outcome_unknown: {
    status: 422,
    title: 'The id of the player asks for an unknown outcome',
    cause: 'At a test merchant, ids that begin with `force-` choose the outcome. No segment has this name.',
    cure: 'Use `force-<segment id>-…`, `force-out-of-stock-…`, `force-slow-…` or `force-error-once-…`.',
  },
  clock_set_back: {
    status: 409,
    title: 'A clock only goes forward',
    cause: 'The clock of the test merchant is already past this time. What has happened stays in the past.',
    cure: 'Choose a later time, or start again with `POST /api/v1/test/reset`.',
  },
  clock_step_too_large: {
    status: 422,
    title: 'The step of the clock is too large',
    cause: `A step takes at most ${clockStepYearsMax} years, and all steps together at most ${clockAheadYearsMax}.`,
    cure: 'Go in several steps.',
  },
  merchant_id_reserved: {
    status: 409,
    title: 'Ids that begin with `test-` are for test merchants',
    cause: "The id of a test merchant begins with `test-`. Other merchants can't have such an id.",
    cure: 'Choose another id.',
  },
  play_ambiguous: {
    status: 409,
    title: 'Two players have a play with this id',
    cause: "Play ids are created by the players' browsers, and two players have used the same id.",
    cure: 'Name the player with the query parameter `playerId`.',
  },
  player_erased: {
    status: 409,
    title: 'The player was erased',
    cause: "The player's id was replaced by a pseudonym, which stays blocked. Nothing was changed.",
    cure: 'If the person comes back, create a new player.',
  },
  prize_settled: {
    status: 409,
    title: 'The prize is already settled',
    cause: 'The prize was redeemed, cancelled or refused. Nothing was changed.',
    cure: 'Read the prize to see its state, who settled it, and when. A redemption by mistake can be taken back for a while.',
  },
  prize_held: {
    status: 409,
    title: 'The prize is being checked',
    cause: 'The prize is held until staff have checked it. Nothing was changed.',
    cure: 'Release it or refuse it first. `heldUntil` of the prize says by when that should happen.',
  },
  prize_not_held: {
    status: 409,
    title: 'The prize is not held',
    cause:
      'It was never held, or somebody has released it, or refused it with another reason. Nothing was changed.',
    cure: 'Read the prize to see its state. To take back a prize that is not held, cancel it.',
  },
  claim_not_offered: {
    status: 409,
    title: 'The prize is not claimed in the wallet',
    cause: 'The merchant claims this prize for the player, or it needs no claim. Nothing was changed.',
    cure: 'Set `claimInWallet` of the prize in the wheel, for plays from then on.',
  },
  prize_not_redeemed: {
    status: 409,
    title: 'The prize is not redeemed',
    cause: 'Only a redemption can be taken back, and the prize is not redeemed. Nothing was changed.',
    cure: 'Read the prize to see its state.',
  },
  redemption_reversed: {
    status: 409,
    title: 'The redemption was taken back',
    cause: 'This key redeemed the prize, and the redemption was taken back later. Nothing was changed.',
    cure: 'Read the prize to see its state. To redeem it again, send another key.',
  },
  redemption_final: {
    status: 409,
    title: 'The redemption can no longer be taken back',
    cause: 'The time to take it back, a setting of the merchant, has passed. Nothing was changed.',
    cure: 'Give the player something else, for example spins.',
  },
  prize_expired: {
    status: 409,
    title: 'The prize was not claimed in time',
    cause: 'The time limit for claiming the prize has passed. Nothing was changed.',
    cure: 'Give the player something else, for example spins.',
  },
  play_outdated: {
    status: 409,
    title: 'The game has changed since the session was read',
    cause: 'After the session was read, there was another play, or the wheel changed. Nothing was played.',
    cure: 'Open the session again and play with a new id, a new seed and the new commitment.',
  },
  merchant_limit_reached: {
    status: 409,
    title: 'The merchant has as many of these as it can have',
    cause: `A merchant can have ${merchantQuotas.wheels} wheels, ${merchantQuotas['code pools']} code pools and ${merchantQuotas['live tokens']} live tokens. \`detail\` says which.`,
    cure: 'Revoke a token that is not needed, or change a wheel or a code pool that exists.',
  },
  webhook_limit_reached: {
    status: 409,
    title: 'The merchant has reached its limit of webhooks',
    cause: `A merchant can have at most ${webhooksPerMerchantMax} webhooks.`,
    cure: 'Delete a webhook that is not needed, or use one webhook for more event types.',
  },
  resend_limit_reached: {
    status: 409,
    title: 'The webhook has too many unfinished resends',
    cause: `A webhook can have at most ${webhookResendsMax} unfinished resends.`,
    cure: 'Wait until one is finished. `GET …/resends` lists them. One resend can also cover a longer range.',
  },
  webhook_secret_withheld: {
    status: 409,
    title: 'The webhook already exists, and its secret is not shown again',
    cause:
      'A request with this key has created a webhook. A repeat shows the secret only to the same caller, within a day, and before the secret is rotated.',
    cure: 'Find the webhook in the list. If you have lost the secret, rotate it.',
  },
  events_ahead: {
    status: 409,
    title: 'There is no event with this number yet',
    cause:
      'The number in `after` is greater than that of the newest event. It comes from another server, or the database was restored from a backup.',
    cure: 'Send `resumeAfter` from this answer as `after`, which starts at the oldest event in the log. Skip events whose `id` you have already processed.',
  },
  events_expired: {
    status: 410,
    title: 'The next events were already deleted',
    cause: 'Events are kept for a limited time (30 days by default), and those next after `after` are older.',
    cure: 'Send `resumeAfter` from this answer as `after`, which starts at the oldest event in the log. The events before it are lost for this reader.',
  },
  account_exists: {
    status: 409,
    title: 'There is already an account with this address',
    cause: 'An invitation alone never changes an existing account.',
    cure: 'Sign in to that account first, and then open the link again.',
  },
  merchant_exists: {
    status: 409,
    title: 'The merchant already exists',
    cause: 'Another merchant has this id.',
    cure: 'Choose another id.',
  },
  contact_not_found: {
    status: 404,
    title: 'The player has no contact',
    cause: 'No address was set for the player.',
    cure: 'Set one with `PUT /api/v1/players/{playerId}/contact`.',
  },
  dead_address_not_found: {
    status: 404,
    title: 'No such dead address',
    cause: 'No address that refuses mail has this id; or it is mailed again already.',
    cure: 'Get the ids with `GET /api/v1/messages/dead-addresses`.',
  },
  mail_not_set: {
    status: 409,
    title: 'This server does not send email',
    cause: 'The operator has not configured an SMTP server.',
    cure: 'Ask the operator for a password reset link.',
  },
  address_not_proven: {
    status: 409,
    title: 'Your address is not proven',
    cause: 'Nobody knows whether you read the mailbox of your account, and test messages go there only.',
    cure: 'Ask for a new password by email: its link proves the address.',
  },
  mail_not_sent: {
    status: 503,
    title: 'The email was not sent',
    cause: 'The SMTP server did not accept the email. Nothing was changed.',
    cure: 'Check the address and try again. If it stays like this, ask the operator to look into the log.',
    retryable: true,
    retryAfterSeconds: 60,
  },
  passkeys_unavailable: {
    status: 409,
    title: 'Passkeys are not available at this address',
    cause: 'Browsers support passkeys only on a domain name with https, or on `localhost`.',
    cure: 'Ask the operator to set `PUBLIC_URL` to such an address.',
  },
  passkey_limit_reached: {
    status: 409,
    title: 'The account has reached its limit of passkeys',
    cause: `An account can have at most ${passkeysPerAccountMax} passkeys.`,
    cure: 'Remove a passkey that is not needed.',
  },
  second_factor_off: {
    status: 409,
    title: 'Two-factor authentication is off',
    cause: 'Recovery codes are for two-factor authentication, which this account does not use.',
    cure: 'Add an authenticator app or a passkey first.',
  },
  last_owner: {
    status: 409,
    title: 'The merchant needs at least one owner',
    cause: 'This person is the only owner of the merchant.',
    cure: 'Make another person an owner first.',
  },
  settings_changed: {
    status: 412,
    title: 'Somebody else has changed the settings',
    cause: 'The `If-Match` header does not name the current settings.',
    cure: 'Read the settings again, and apply your change to the current ones.',
  },
  campaign_changed: {
    status: 412,
    title: 'The campaign has changed since it was read',
    cause: 'Another change was made after this one was begun. Nothing was changed.',
    cure: 'Read the campaign again, and repeat the change with its new `ETag`.',
  },
  promotion_changed: {
    status: 412,
    title: 'The promotion is not the one that was shown',
    cause: 'One of the two merchants has changed since the differences were read. Nothing was changed.',
    cure: 'Read the differences again, and promote with their `ETag`.',
  },
  draft_changed: {
    status: 412,
    title: 'Somebody else has changed the draft',
    cause: 'The `If-Match` header does not name the current revision.',
    cure: 'Read the draft again, and apply your change to the current one.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: `The body is larger than the operation allows. The limit of most operations is ${bodyBytesMax} bytes.`,
    cure: 'Send only the documented fields.',
  },
  content_type_unsupported: {
    status: 415,
    title: 'The body is not plain application/json',
    cause:
      'The Content-Type header is missing or names another type or a charset other than UTF-8, or the request has a Content-Encoding.',
    cure: 'Send the body uncompressed, in UTF-8, with `Content-Type: application/json`, and a file of codes with `text/csv` or `application/x-ndjson`.',
  },
  balance_limit_exceeded: {
    status: 422,
    title: 'The balance would exceed its limit',
    cause: 'A player can have at most 1,000,000,000 spins. The request would exceed it. Nothing was changed.',
    cure: 'Add fewer spins.',
  },
  balance_too_low: {
    status: 422,
    title: 'The balance would fall below zero',
    cause: 'The correction removes more spins than the player has. Nothing was changed.',
    cure: 'Remove at most as many spins as the player has.',
  },
  grant_limit_exceeded: {
    status: 422,
    title: 'The number of spins exceeds the limit for one call',
    cause: `The merchant has set a limit for one call, which is below ${spinNumberCeiling} spins.`,
    cure: 'Add fewer spins, or raise the limit with `wheelhouse merchant set --grant-max`.',
  },
  daily_grant_limit_exceeded: {
    status: 422,
    title: 'The player would exceed the daily limit of spins',
    cause: 'The merchant has set a limit per player and day (UTC), which the request would exceed.',
    cure: 'Wait until the next day (UTC), or raise the limit with `wheelhouse merchant set --daily-grant-max`.',
  },
  staff_grant_limit_exceeded: {
    status: 422,
    title: 'You would exceed the daily limit of your role',
    cause:
      "The spins that a person gives in one day, in the merchant's time zone, are limited. Grants, upward corrections and imports count.",
    cure: 'Wait until tomorrow, or ask an owner. The limit for the role support is a setting of the merchant.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request',
    cause:
      'An earlier request with the same key had another number of spins, another campaign, or another content. `detail` says which. The reason of a grant or a correction is not compared: the first one stays.',
    cure: 'Use a new key for a new request. To get the answer to the first request again, repeat it unchanged.',
  },
  wheel_not_publishable: {
    status: 422,
    title: 'The wheel cannot be published',
    cause: 'The draft has at least one problem. `errors` lists each one with a JSON pointer.',
    cure: 'Correct the draft and publish it again. `POST …/simulation` checks a draft without publishing it.',
  },
  password_too_easy: {
    status: 422,
    title: 'The password is too easy to guess',
    cause: `The password has fewer than ${passwordLengthMin} characters, is common or similar to a common one, or consists of words about its owner. \`detail\` says which.`,
    cure: 'Choose four unrelated words, or let a password manager create a password.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The service token, the player or the address has used up its quota. `detail` says which, and `Retry-After` when the quota is renewed.',
    cure: 'Wait for `Retry-After` seconds.',
    retryable: true,
  },
  ...entryRefusals,
  event_readers_limited: {
    status: 429,
    title: 'Too many requests are waiting for events',
    cause: 'The caller, the merchant or the server has reached its limit of requests that wait for events.',
    cure: 'Use fewer connections. One connection gets new events as quickly as many.',
    retryable: true,
  },
  failed_tokens_limited: {
    status: 429,
    title: 'Too many requests with wrong tokens from this address',
    cause: 'The token is wrong, and this address has sent too many wrong tokens within a minute.',
    cure: 'Correct the token. Valid tokens from the same address still work.',
    retryable: true,
  },
  sign_in_delayed: {
    status: 429,
    title: 'Too many failed attempts to sign in',
    cause:
      'After several failures from one network, each further attempt must wait. After many, this applies to all accounts.',
    cure: 'Wait for `Retry-After` seconds. A browser in which you have signed in before is not delayed by the failures of others.',
    retryable: true,
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The request line and the headers together are too large.',
    cure: 'Send fewer and shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    cause: 'There is a bug in Wheelhouse. The log has the details under the request id.',
    cure: 'Repeat the request with the same idempotency key, and report the request id.',
    retryable: true,
  },
  overloaded: {
    status: 503,
    title: 'The server is busy',
    cause:
      'The server has reached its limit of work in flight, or the request waited too long in the queue. `detail` says which.',
    cure: 'Repeat the request with the same idempotency key after `Retry-After` seconds.',
    retryable: true,
    retryAfterSeconds: 1,
  },
  database_unavailable: {
    status: 503,
    title: 'The database does not answer',
    cause: 'The database was not reached, or was too slow. It is not known whether the change was made.',
    cure: 'Repeat the request with the same idempotency key after `Retry-After` seconds.',
    retryable: true,
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, RefusalText>

export function refusalText(code: RefusalCode): RefusalText {
  return refusals[code]
}

/** The detail of `idempotency_key_reused`: how the earlier request differed from this one. */
export function otherThanBefore(what: string): string {
  return `An earlier request with this key had ${what}. Nothing was changed.`
}

/** The reasons for an overload answer. */
const overloads = {
  requests: 'The server has reached its limit of requests in flight.',
  queue: 'The queue is full, for this merchant or for all.',
  wait: 'The request waited too long in the queue. Nothing was changed.',
  stop: 'The server is shutting down.',
  exports: 'The server has reached its limit of exports in progress, for this merchant or for all.',
  entries: 'The server has reached its limit of visitors who enter, for this merchant or for all.',
  batches: 'The server has reached its limit of grants in batches, for this merchant or for all.',
  forecasts: 'The server has reached its limit of simulations in progress for this merchant.',
}

/** Created once for each reason: under a flood, creating one for each request took longer than sending it. */
export function overloaded(reason: keyof typeof overloads): Refusal {
  return (refusalsMade[reason] ??= new Refusal('overloaded', { detail: overloads[reason] }))
}

const refusalsMade: Partial<Record<keyof typeof overloads, Refusal>> = {}
