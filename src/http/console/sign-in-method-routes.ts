import { Type } from 'typebox'
import { Refusal, type RefusalCode } from '../../refusals.ts'
import { listPasskeys, renamePasskey } from '../../staff/passkeys.ts'
import { countRecoveryCodes } from '../../staff/recovery-codes.ts'
import {
  addPasskey,
  removePasskey,
  replaceRecoveryCodes,
  switchAppOff,
  switchAppOn,
} from '../../staff/sign-in-methods.ts'
import { type MethodChange, methodMail } from '../../staff/staff-mails.ts'
import { findStaff, type Staff, type StaffSecrets } from '../../staff/staff.ts'
import { makeTotpSecret, totpAddress } from '../../staff/totp.ts'
import { registrationOptions } from '../../staff/verify-passkeys.ts'
import { limitPasswordTries } from './account-routes.ts'
import { requireRecentSignIn, requireRelyingParty } from './recent-sign-in.ts'
import {
  AppConfirmedAnswer,
  AppProposalAnswer,
  PasskeyAddedAnswer,
  RecoveryCodesAnswer,
  shownPasskey,
  SignInMethodsAnswer,
} from '../answers/account.ts'
import { Code, Done, PasskeyOptions, PasskeyRegistration, Password, PersonName } from '../answers/staff.ts'
import { requireSignedIn, staffCause } from './staff-session.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'

const passwordAgain = Type.Optional(Password)
const PasskeyKey = Type.Object({ passkeyId: Type.String({ format: 'uuid' }) })
const description = 'Needs a sign-in within the last ten minutes, or the password.'
const refusals: RefusalCode[] = ['sign_in_failed', 'sign_in_not_recent', 'sign_in_delayed', 'rate_limited']

/** A staff member's other sign-in methods: authenticator app, passkeys, recovery codes. */
export const signInMethodRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app
  const onRequest = limitPasswordTries()
  /** Not awaited: the change is made even if the mail fails. */
  const mailChange = ({ email }: Staff, change: MethodChange) =>
    void ctx.mail?.send(methodMail(email, change))

  app.get(
    '/api/v1/account/sign-in-methods',
    {
      schema: {
        operationId: 'listSignInMethods',
        summary: 'List your sign-in methods',
        response: { 200: SignInMethodsAnswer },
      },
    },
    async (request) => {
      const { staff } = await requireSignedIn(request)
      const secrets = (await findStaff(ctx.db, staff.staffId)) as StaffSecrets
      const passkeys = await listPasskeys(ctx.db, staff.staffId)
      return {
        app: secrets.totpSecret !== null,
        recoveryCodesLeft: await countRecoveryCodes(ctx.db, staff.staffId),
        passkeys: passkeys.map(shownPasskey),
      }
    },
  )

  app.post(
    '/api/v1/account/second-factor',
    {
      schema: {
        operationId: 'proposeSecondFactor',
        summary: 'Get a secret for an authenticator app',
        description: 'Takes effect only when it is confirmed with a code.',
        response: { 200: AppProposalAnswer },
      },
    },
    async (request) => {
      const { staff } = await requireSignedIn(request)
      const secret = makeTotpSecret()
      return { secret, address: totpAddress(secret, staff.email) }
    },
  )

  app.put(
    '/api/v1/account/second-factor',
    {
      onRequest,
      config: { refusals: [...refusals, 'second_factor_wrong'] },
      schema: {
        operationId: 'confirmSecondFactor',
        summary: 'Turn the authenticator app on',
        description,
        body: Type.Object({
          secret: Type.String({ pattern: '^[A-Z2-7]{32}$' }),
          code: Code,
          password: passwordAgain,
        }),
        response: { 200: AppConfirmedAnswer },
      },
    },
    async (request) => {
      const { secret, code, password } = request.body
      const signedIn = await requireRecentSignIn(request, password)
      const order = { secret, code }
      const recoveryCodes = await switchAppOn(ctx.db, signedIn.staff, order, staffCause(request, signedIn))
      mailChange(signedIn.staff, 'app_on')
      return { done: true, recoveryCodes }
    },
  )

  app.delete(
    '/api/v1/account/second-factor',
    {
      onRequest,
      config: { refusals: refusals },
      schema: {
        operationId: 'removeSecondFactor',
        summary: 'Turn the authenticator app off',
        description,
        body: Type.Object({ password: passwordAgain }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const signedIn = await requireRecentSignIn(request, request.body.password)
      await switchAppOff(ctx.db, signedIn.staff, staffCause(request, signedIn))
      mailChange(signedIn.staff, 'app_off')
      return { done: true }
    },
  )

  app.post(
    '/api/v1/account/recovery-codes',
    {
      onRequest,
      config: { refusals: [...refusals, 'second_factor_off'] },
      schema: {
        operationId: 'renewRecoveryCodes',
        summary: 'Create new recovery codes',
        description: `The old ones stop working. ${description}`,
        body: Type.Object({ password: passwordAgain }),
        response: { 200: RecoveryCodesAnswer },
      },
    },
    async (request) => {
      const signedIn = await requireRecentSignIn(request, request.body.password)
      const recoveryCodes = await replaceRecoveryCodes(ctx.db, signedIn.staff, staffCause(request, signedIn))
      mailChange(signedIn.staff, 'recovery_codes')
      return { recoveryCodes }
    },
  )

  app.post(
    '/api/v1/account/passkey-challenges',
    {
      onRequest,
      config: { refusals: [...refusals, 'passkeys_unavailable'] },
      schema: {
        operationId: 'challengeForNewPasskey',
        summary: 'Start adding a passkey',
        description: `Returns the options for \`navigator.credentials.create()\`, as JSON. They work once, within five minutes. ${description}`,
        body: Type.Object({ password: passwordAgain }),
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => {
      const rp = requireRelyingParty(ctx)
      const { staff } = await requireRecentSignIn(request, request.body.password)
      const person = (await findStaff(ctx.db, staff.staffId)) as Staff & StaffSecrets
      return { options: { ...(await registrationOptions(ctx.db, person, { rp, now: ctx.now() })) } }
    },
  )

  app.post(
    '/api/v1/account/passkeys',
    {
      onRequest,
      config: {
        refusals: ['passkey_refused', 'passkeys_unavailable', 'passkey_limit_reached', 'rate_limited'],
      },
      schema: {
        operationId: 'addPasskey',
        summary: 'Add a passkey',
        description: 'Afterwards, the password alone is not enough to sign in.',
        body: Type.Object({ name: PersonName, passkey: PasskeyRegistration }),
        response: { 200: PasskeyAddedAnswer },
      },
    },
    async (request) => {
      const rp = requireRelyingParty(ctx)
      const signedIn = await requireSignedIn(request)
      const { name, passkey } = request.body
      // The schema has checked every field that the library reads; it ignores the rest.
      const order = { name, response: passkey as never, rp }
      const added = await addPasskey(ctx.db, signedIn.staff, order, staffCause(request, signedIn))
      mailChange(signedIn.staff, { passkeyAdded: name })
      return added
    },
  )

  app.put(
    '/api/v1/account/passkeys/:passkeyId',
    {
      config: { refusals: ['passkey_not_found'] },
      schema: {
        operationId: 'renamePasskey',
        summary: 'Rename a passkey',
        params: PasskeyKey,
        body: Type.Object({ name: PersonName }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const { staff } = await requireSignedIn(request)
      const { passkeyId } = request.params
      const key = { staffId: staff.staffId, passkeyId, name: request.body.name }
      if (!(await renamePasskey(ctx.db, key))) throw new Refusal('passkey_not_found')
      return { done: true }
    },
  )

  app.delete(
    '/api/v1/account/passkeys/:passkeyId',
    {
      onRequest,
      config: { refusals: [...refusals, 'passkey_not_found'] },
      schema: {
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        description,
        params: PasskeyKey,
        body: Type.Object({ password: passwordAgain }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const signedIn = await requireRecentSignIn(request, request.body.password)
      const { passkeyId } = request.params
      const name = await removePasskey(ctx.db, signedIn.staff, passkeyId, staffCause(request, signedIn))
      mailChange(signedIn.staff, { passkeyRemoved: name })
      return { done: true }
    },
  )
})
