/** The texts of the wallet, beside those that it shares with the game. */
import { baseLanguage, textIn, tooLate } from '../texts/i18n.ts'
import type { DictionaryOf } from '../texts/languages.ts'
import english from '../../../src/languages/en/wallet.json' with { type: 'json' }

type WalletTextKey = keyof typeof english
type WalletDictionary = DictionaryOf<WalletTextKey>

const folder = '../../../src/languages'
const files = import.meta.glob<{ default: WalletDictionary }>([
  '../../../src/languages/*/wallet.json',
  '!../../../src/languages/en/wallet.json',
])

let dictionary: WalletDictionary = english

export async function loadWalletTexts(): Promise<void> {
  const load = files[`${folder}/${baseLanguage()}/wallet.json`]
  try {
    dictionary = load === undefined ? english : (await Promise.race([load(), tooLate()])).default
  } catch {
    dictionary = english
  }
}

export function say(key: WalletTextKey, values: Record<string, string | number> = {}): string {
  return textIn(dictionary, key, values)
}
