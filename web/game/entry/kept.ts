/**
 * What a visitor's browser keeps. The pass, which brings this browser back to its game, outlives the tab. What was
 * typed and the code that was asked for last as long as the tab, which a phone may reload while its owner reads the
 * mail. Where storage is blocked, such as in some frames, the page works without it.
 */
import { toHex } from '../../../src/fairness/draw.ts'
import { type CodeSent, entryPath } from './entry-api.ts'

export type Kept = {
  /** Of the entry: made when the form opens, and kept until the entry has an outcome. */
  key: string
  /** By the names of the form's controls. */
  typed: Record<string, string>
  /** The entry was sent, and had no answer yet. */
  isSent: boolean
  code: (CodeSent & { address: string }) | null
  isTooYoung: boolean
}

const name = `wheelhouse:${entryPath}`
let kept: Kept = { ...fresh(), ...(read('sessionStorage', name) as Partial<Kept> | null) }

export function keptEntry(): Kept {
  return kept
}

export function keep(change: Partial<Kept>): void {
  kept = { ...kept, ...change }
  write('sessionStorage', name, kept)
}

/** For another entry, from the start. */
export function forgetEntry(): void {
  keep({ ...fresh(), isTooYoung: kept.isTooYoung })
}

export function newKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}

function fresh(): Kept {
  return { key: newKey(), typed: {}, isSent: false, code: null, isTooYoung: false }
}

/** The pass of this browser for this campaign. */
export function keptPass(): string | null {
  return passOf(name)
}

/** The pass of this campaign, or else of another one of the same merchant. */
export function passForEntry(): string | null {
  const prefix = `wheelhouse:${entryPath.split('/')[0]}/`
  return keptPass() ?? passOf(namesInLocalStorage().find((one) => one.startsWith(prefix)) ?? name)
}

export function keepPass(pass: string): void {
  write('localStorage', name, pass)
}

export function forgetPass(): void {
  write('localStorage', name, null)
}

function passOf(of: string): string | null {
  const pass = read('localStorage', of)
  return typeof pass === 'string' ? pass : null
}

function namesInLocalStorage(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

function read(storage: 'localStorage' | 'sessionStorage', of: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(of) ?? 'null')
  } catch {
    // Blocked, or written by something else.
    return null
  }
}

function write(storage: 'localStorage' | 'sessionStorage', of: string, value: unknown): void {
  try {
    if (value === null) window[storage].removeItem(of)
    else window[storage].setItem(of, JSON.stringify(value))
  } catch {
    // Blocked or full. The page still has it until it is closed.
  }
}
