/** The wallet: what a player has won, also without a connection and long after the game. */
import { isRefused, type Refused } from '../api.ts'
import { allowParents, isFramed } from '../embed.ts'
import { cameFromGame, keepFramePass, keepToken, takeToken } from '../link.ts'
import { loadFont } from '../look/fonts.ts'
import { showMerchant } from '../look/paint.ts'
import { byId, button } from '../page/dom.ts'
import { setClock } from '../states/countdown.ts'
import { stateAfter } from '../states/states.ts'
import { formatTime, hasText, loadDefaultLanguage, loadLanguage, t } from '../texts/i18n.ts'
import { readWheel } from '../wheel/published.ts'
import { forgetOldWallets, forgetWallet, keepWallet, keptWallet } from './kept.ts'
import { forgetPage, keepPage } from './offline.ts'
import { countDown, nameOf, prizeCard } from './prize-card.ts'
import { claimPrize, isDead, loadForms, openWallet, type Wallet, type WalletPrize } from './wallet-api.ts'
import { loadWalletTexts, say } from './wallet-texts.ts'

const token = takeToken()
const retryMs = 8_000
let shown: Wallet | undefined
let isOnline = true

async function open(): Promise<void> {
  if (token === null) return showRefusal({ code: 'game_token_invalid', isPassing: false, waitMs: 0 })
  const answer = await openWallet(token)
  if (!isRefused(answer)) return show(answer, { isFresh: true })
  if (isDead(answer)) {
    await forgetWallet(token)
    return showRefusal(answer)
  }
  const kept = shown ?? (await keptWallet(token))
  if (kept === undefined) showRefusal(answer)
  else await show(kept, { isFresh: false })
}

async function show(wallet: Wallet, { isFresh }: { isFresh: boolean }): Promise<void> {
  shown = wallet
  isOnline = isFresh
  await dress(wallet)
  draw(wallet)
  if (!isFresh || token === null) return
  setClock(new Date(wallet.answeredAt))
  countDown()
  if (isFramed) keepFramePass(wallet.framePass)
  await keepWallet(token, wallet)
}

/** The merchant's look, and texts in a language that the player reads. */
async function dress({ published, isTest, parentOrigins }: Wallet): Promise<void> {
  document.body.classList.toggle('test', isTest)
  allowParents(parentOrigins)
  if (published === null) return
  const { look, language } = readWheel(published)
  showMerchant(look)
  void loadFont(look.font, document.body.innerText)
  await loadDefaultLanguage(language)
  await loadWalletTexts()
}

function draw(wallet: Wallet): void {
  const { prizes, next, answeredAt } = wallet
  document.title = say('title')
  byId('title').textContent = say('title')
  const time = formatTime(answeredAt)
  tell(!isOnline ? say('offline', { time }) : prizes.length === 0 ? say('none') : '')
  byId('prizes').replaceChildren(
    ...prizes.map((prize) => prizeCard(prize, isOnline ? () => claim(prize) : undefined)),
  )
  const tools = [
    ...(next === null || !isOnline ? [] : [button('secondary', say('more'), () => showMore(next))]),
    ...(cameFromGame() ? [button('quiet', say('back'), () => history.back())] : []),
    ...(isOnline ? [] : [button('quiet', t('offline.action'), open)]),
    ...(prizes.length === 0 ? [] : [button('quiet', say('print'), () => print())]),
    button('quiet', say('forget'), forget),
  ]
  byId('tools').replaceChildren(...tools)
  countDown()
}

async function claim(prize: WalletPrize): Promise<void> {
  const answer = await claimPrize({ token: token as string, playId: prize.playId })
  if (!isRefused(answer)) return showClaimed(answer)
  if (answer.code === 'form_outdated') return claimByForm(prize)
  return answer.isPassing ? tell(say('claim.failed')) : open()
}

/** A visitor answers the form of the campaign. */
async function claimByForm(prize: WalletPrize): Promise<void> {
  const { playId } = prize
  // Without a connection, or after an update of the server, the script is not there.
  const form = await import('../entry/claim.ts').catch(() => undefined)
  if (form === undefined) return tell(say('claim.failed'))
  await form.openClaim({
    prize: nameOf(prize).text,
    loadForms: () => loadForms(token as string, playId),
    claim: (formVersion, answers) => {
      const { lang: language } = document.documentElement
      return claimPrize({ token: token as string, playId, formVersion, language, answers })
    },
    onClaimed: (wallet) => void showClaimed(wallet),
  })
}

async function showClaimed(wallet: Wallet): Promise<void> {
  await show(wallet, { isFresh: true })
  // The button is gone, and the focus with it.
  tell(say('state.claimed'))
  byId('title').focus()
}

async function showMore(before: number): Promise<void> {
  const answer = await openWallet(token as string, before)
  if (isRefused(answer) || shown === undefined) return open()
  await show({ ...answer, prizes: [...shown.prizes, ...answer.prizes] }, { isFresh: true })
}

async function forget(): Promise<void> {
  if (token !== null) await forgetWallet(token)
  await forgetPage()
  keepToken('')
  byId('prizes').replaceChildren()
  byId('tools').replaceChildren()
  tell(say('forgotten'))
  byId('title').focus()
}

function showRefusal({ code }: Refused): void {
  const state = stateAfter(code)
  const [title, text] = (['title', 'text'] as const).map((part) => `${state}.${part}`)
  byId('prizes').replaceChildren()
  byId('title').textContent = title !== undefined && hasText(title) ? t(title) : say('title')
  tell(text !== undefined && hasText(text) ? t(text) : '')
  const isPassing = state === 'offline' || state === 'down'
  byId('tools').replaceChildren(...(isPassing ? [button('secondary', t('offline.action'), open)] : []))
}

function tell(text: string): void {
  byId('status').textContent = text
}

async function start(): Promise<void> {
  byId('stuck').remove()
  document.documentElement.classList.toggle('framed', isFramed)
  await loadLanguage()
  await loadWalletTexts()
  document.title = say('title')
  byId('title').textContent = say('title')
  await open()
  setInterval(countDown, 1_000)
  setInterval(retry, retryMs)
  await forgetOldWallets()
  if (shown !== undefined) await keepPage()
}

/** Some browsers don't say that the connection is back, or say so too early. */
function retry(): void {
  if (shown !== undefined && !isOnline && !document.hidden) void open()
}

addEventListener('online', retry)
document.addEventListener('visibilitychange', retry)
void start()
