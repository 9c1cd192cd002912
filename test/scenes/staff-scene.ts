// Fixtures for the tests of staff and the console: people with roles, and a browser's way to call the API.
import { hashPassword } from '../../src/crypto/password.ts'
import type { Database } from '../../src/db/database.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import type { Role } from '../../src/staff/roles.ts'
import { admit } from '../../src/staff/sign-in.ts'
import { insertStaff, setRole } from '../../src/staff/staff.ts'
import type { Answer, Server } from './scene.ts'

export const password = 'correct horse battery staple'
const passwordHash = hashPassword(password)
let people = 0

/** A person with an account, and with a role at each of these merchants. */
export async function makeStaff(
  db: Database,
  roles: readonly (readonly [Merchant, Role])[],
  options: { isOperator?: boolean } = {},
): Promise<{ email: string; staffId: number; name: string }> {
  const number = ++people
  const person = { email: `person-${number}@example.com`, name: `Person ${number}` }
  const now = new Date()
  const staffId = (await insertStaff(db, {
    ...person,
    passwordHash: await passwordHash,
    isOperator: options.isOperator === true,
    now,
  })) as number
  for (const [{ merchantId }, role] of roles) await setRole(db, { staffId, merchantId, role, now })
  return { ...person, staffId }
}

export type Browser = {
  cookies: Map<string, string>
  call: (
    method: string,
    path: string,
    options?: { body?: unknown; merchant?: string; headers?: Record<string, string> },
  ) => Promise<Answer>
}

/** Calls the API like a page of the console, with the cookies it received. */
export function makeBrowser({ url }: Pick<Server, 'url'>): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    call: async (method, path, { body, merchant, headers = {} } = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          Origin: url,
          'Sec-Fetch-Site': 'same-origin',
          ...(cookies.size === 0
            ? {}
            : { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(merchant === undefined ? {} : { 'Wheelhouse-Merchant': merchant }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string]
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
          ? (JSON.parse(text) as Record<string, unknown>)
          : { text },
      }
    },
  }
}

/** A signed-in person, without the time that hashing a password takes. */
export async function signInAs(server: Server, { staffId }: { staffId: number }): Promise<Browser> {
  const browser = makeBrowser(server)
  const { db, now } = server.ctx
  const whereabouts = { address: '127.0.0.1', browser: 'test', browserToken: undefined, now: now() }
  const { sessionToken, browserToken } = await admit(db, staffId, whereabouts)
  browser.cookies.set('wheelhouse-session-8080', sessionToken)
  browser.cookies.set('wheelhouse-browser-8080', browserToken)
  return browser
}
