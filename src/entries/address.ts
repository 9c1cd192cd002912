import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { addressLengthMax, localPartLengthMax } from './entry-limits.ts'

/** An e-mail address that was accepted, in its parts: the name of the mailbox as typed, the domain in ASCII. */
export type AddressParts = { name: string; domain: string }

/** The parts of an address as a visitor typed it; undefined if it is not accepted. */
export function readAddress(typed: string): AddressParts | undefined {
  const [name = '', given = '', ...more] = typed.split('@')
  if (more.length > 0 || typed.length > addressLengthMax) return undefined
  if (name.length > localPartLengthMax || !dotAtom.test(name)) return undefined
  const domain = readDomain(given)
  return domain === undefined || name.length + 1 + domain.length > addressLengthMax
    ? undefined
    : { name, domain }
}

/**
 * One text for all spellings of a mailbox, as far as its provider documents them. It is only a key: mail goes to the
 * address as it was typed. Undefined if nothing is left of the name.
 *
 * A missed rule costs one spin; a wrong one shows a stranger's prizes. So the rules are an explicit list, without
 * wildcards, and without a look at the mail servers of company domains.
 */
export function foldAddress({ name, domain }: AddressParts): string | undefined {
  const lower = name.toLowerCase()
  const fastmailUser = fastmailHost.exec(domain)
  if (fastmailUser !== null) return `${fastmailUser[1]}@${fastmailUser[2]}`
  const base = cutsAtPlus.has(domain) ? lower.replace(/\+.*$/s, '') : lower
  const folded = gmail.has(domain) ? base.replaceAll('.', '') : base
  return folded === '' ? undefined : `${folded}@${gmail.has(domain) ? 'gmail.com' : domain}`
}

/** Stored with every key. A change of the rules gets a new number; stored keys are never folded again. */
export const foldVersion = 1

/** An unquoted local part (RFC 5321), in ASCII. */
const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

const gmail = new Set(['gmail.com', 'googlemail.com'])
const cutsAtPlus = new Set(
  [
    [...gmail],
    ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    ['icloud.com', 'me.com', 'mac.com'],
    ['proton.me', 'protonmail.com', 'pm.me'],
    ['fastmail.com', 'fastmail.fm'],
  ].flat(),
)
/** Fastmail delivers `anything@user.fastmail.com` to `user@fastmail.com`. */
const fastmailHost = /^([a-z0-9-]+)\.(fastmail\.(?:com|fm))$/

/**
 * The domain in ASCII. `domainToASCII` reads the host of a URL: it decodes `%61`, drops soft hyphens, and makes an IP
 * address of `127.1`. So the characters are checked before, and its answer after.
 */
function readDomain(given: string): string | undefined {
  const labels = given.split('.')
  if (labels.length < 2 || !labels.every((label) => labelPattern.test(label))) return undefined
  // Full-width and other compatible forms would become other letters.
  if (given.normalize('NFKC') !== given.normalize('NFC')) return undefined
  const domain = domainToASCII(given)
  if (isIP(domain) !== 0 || !asciiDomain.test(domain)) return undefined
  // A label that is no valid Punycode stays as it is.
  return /(^|\.)xn--/.test(domainToUnicode(domain)) ? undefined : domain
}

const labelPattern = /^(?!-)[\p{L}\p{M}\p{Nd}-]+(?<!-)$/u
const asciiDomain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/
