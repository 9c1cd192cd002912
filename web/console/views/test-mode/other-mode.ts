import { testPrefix } from '../../../../src/test-clock.ts'
import type { MerchantRole } from '../../session.tsx'

/** The id of the test merchant without a name of a live merchant, or of the live merchant of a test merchant. */
export function otherMode({ merchant, live }: Pick<MerchantRole, 'merchant' | 'live'>): string {
  return live ? `${testPrefix}${merchant}` : merchant.slice(testPrefix.length).replace(/_.*$/, '')
}

/** The name of a test merchant; undefined for the one without. */
export function testNameOf({ merchant }: Pick<MerchantRole, 'merchant'>): string | undefined {
  return /_(.+)$/.exec(merchant)?.[1]
}

/** The same view of another merchant. What the view shows may not exist there, so it is the view's list. */
export function sameView(path: string, merchant: string): string {
  const [, , , view = ''] = path.split('/')
  return `/m/${merchant}/${view}`
}
