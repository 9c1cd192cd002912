/** Asks the browser for a passkey, and translates its errors into our texts. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { type TextKey, t } from './texts.ts'

export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON

// Loaded on first use, because most visits don't need it.
const library = () => import('@simplewebauthn/browser')

export function hasPasskeySupport(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const { startRegistration } = await library()
  return inPlainWords(startRegistration({ optionsJSON: options }))
}

export async function readPasskey(options: PasskeyRequest): Promise<unknown> {
  const { startAuthentication } = await library()
  return inPlainWords(startAuthentication({ optionsJSON: options }))
}

const words: Record<string, TextKey> = {
  NotAllowedError: 'passkey.notAllowed',
  AbortError: 'passkey.notAllowed',
  InvalidStateError: 'passkey.known',
  SecurityError: 'passkey.otherDomain',
}

async function inPlainWords<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new Error(t(words[name] ?? 'passkey.failed'), { cause: error })
  }
}
