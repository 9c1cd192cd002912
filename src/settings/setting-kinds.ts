import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { decodeBech32 } from '../bech32.ts'
import { type DatabaseTarget, parseDatabaseUrl } from './database-url.ts'

/** A setting's text that can't be used. Its message continues a sentence that begins with the setting's name. */
export class Complaint extends Error {}

/** Turns the text of a setting into its value, or throws a Complaint. */
export type Parse<T> = (text: string) => T

export function wholeNumber(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new Complaint(`must be a whole number from ${min} to ${max}`)
  }
}

/** A share from 0 to 1. */
export function ratio(text: string): number {
  const value = /^\d?\.?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw new Complaint('must be a number from 0 to 1')
}

export function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Complaint('must be on or off')
  return text === 'on'
}

export function oneOf<const T extends string>(allowed: readonly T[]): Parse<T> {
  return (text) => {
    const found = allowed.find((one) => one === text)
    if (found === undefined) throw new Complaint(`must be one of ${allowed.join(', ')}`)
    return found
  }
}

export function anyText(text: string): string {
  return text
}

export function host(text: string): string {
  if (!isHost(text)) throw new Complaint('must be an address or a host name')
  return text
}

/** An http or https address, without a slash at its end. */
export function webAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Complaint('must be an http or https address')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Complaint('must have no query, fragment or user')
  return text.replace(/\/+$/, '')
}

/** Headers as OpenTelemetry writes them: `name=value,name=value`, with values encoded as in a URL. */
export function headerList(text: string): Readonly<Record<string, string>> {
  const pairs = listOf(text).map((pair) => {
    const match = /^(?<name>[\w.-]+)\s*=(?<value>.*)$/.exec(pair)?.groups
    return match === undefined ? undefined : [match.name, decoded(match.value as string)]
  })
  if (pairs.every((pair) => pair?.[1] !== undefined)) return Object.fromEntries(pairs as [string, string][])
  throw new Complaint('must be a list of name=value with commas between, encoded as in a URL')
}

export function smtpAddress(text: string): string {
  const url = URL.parse(text)
  const isFine = url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== ''
  if (isFine) return text
  throw new Complaint('must be an address like smtp://user:password@mail.example:587, or smtps://…')
}

export function mailSender(text: string): string {
  const isFine = /^(?:[^<>"\p{Cc}]+<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/u.test(text)
  if (isFine) return text
  throw new Complaint('must be an address, or a name and an address like Acme <wheel@acme.example>')
}

export function mailAddress(text: string): string {
  if (/^[^\s@<>,+]+@[^\s@<>,]+$/.test(text)) return text
  throw new Complaint('must be an address like bounce@acme.example, without +')
}

/** The text of a file. */
export function textFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Complaint('must name a file that can be read')
  }
}

export function databaseTargets(text: string): readonly DatabaseTarget[] | undefined {
  const targets = parseDatabaseUrl(text)
  if (typeof targets === 'string') throw new Complaint(targets)
  return targets
}

export function hostAndPort(text: string): { host: string; port: number } | undefined {
  if (text === 'off') return undefined
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+)):(?<port>\d{1,5})$/.exec(text)
  const hostName = match?.groups?.v6 ?? match?.groups?.name
  const port = Number(match?.groups?.port)
  if (hostName === undefined || !isHost(hostName) || port < 1 || port > 65_535)
    throw new Complaint('must be host:port, or off')
  return { host: hostName, port }
}

/** Addresses or networks, separated by commas. */
export function networks(text: string): readonly string[] {
  const list = listOf(text)
  if (list.every(isNetwork)) return list
  throw new Complaint('must be a list of addresses or networks (10.0.0.0/8) with commas between')
}

export function sealKeys(text: string): readonly string[] {
  const keys = listOf(text).map((key) => key.toLowerCase())
  if (keys.every((key) => /^[0-9a-f]{64}$/.test(key))) return keys
  throw new Complaint('must be 64 hexadecimal digits, or several such with commas between, the newest first')
}

/** Public keys as `wheelhouse backup key` and `age-keygen` print them. */
export function publicKeys(text: string): readonly Buffer[] {
  const keys = listOf(text).map((key) => decodeBech32('age', key))
  if (keys.every((key) => key?.length === 32)) return keys as Buffer[]
  throw new Complaint('must be a public key, age1…, or several with commas between; one has a typo')
}

const passphraseLettersMin = 16

export function passphrase(text: string): string {
  if (text.length >= passphraseLettersMin) return text
  throw new Complaint(
    `must have at least ${passphraseLettersMin} characters, such as those of openssl rand -base64 24`,
  )
}

/** The passphrase in a file, without the spaces and line ends around it. */
export function passphraseFile(path: string): string {
  try {
    return passphrase(readFileSync(path, 'utf8').trim())
  } catch (error) {
    if (!(error instanceof Complaint)) throw new Complaint('must name a file that can be read')
    throw new Complaint(
      `must name a file with a passphrase that ${error.message.replace('must have', 'has')}`,
    )
  }
}

/** Durations such as `5s,5m,2h`, in seconds. */
export function durations(text: string): readonly number[] {
  const seconds = listOf(text).map((part) => {
    const match = /^(?<count>\d{1,6})(?<unit>[smhd])$/.exec(part)?.groups
    return match === undefined
      ? Number.NaN
      : Number(match.count) * secondsIn[match.unit as keyof typeof secondsIn]
  })
  if (seconds.length <= 100 && seconds.every((count) => count >= 1 && count <= 30 * secondsIn.d))
    return seconds
  throw new Complaint('must be a list of at most 100 times of 1s to 30d (5s,5m,2h) with commas between')
}

const secondsIn = { s: 1, m: 60, h: 3_600, d: 86_400 }

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text.trim())
    return /^[ -~]+$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)
}
