// Opens a game link: takes the token out of the address bar, sends it once, and tells the player what it has.
// The token lives in this variable only: no cookie and no storage, so it works in a frame too.
const token = new URLSearchParams(location.search).get('token')
history.replaceState(null, '', location.pathname)

const status = /** @type {HTMLElement} */ (document.getElementById('status'))
const retry = /** @type {HTMLElement} */ (document.getElementById('retry'))
retry.addEventListener('click', () => void open())

/** What to tell the player for each refusal; anything else is worth another try. */
/** @type {Record<string, string>} */
const farewells = {
  game_token_invalid: 'This link does not work. Please ask for a new one where you got it.',
  game_token_expired: 'This link has expired. Please ask for a new one where you got it.',
  game_token_revoked: 'This link is no longer valid. Please ask for a new one where you got it.',
  merchant_suspended: 'This game is closed at the moment.',
  player_blocked: 'This game is not available to you.',
  validation_failed: 'This link does not work. Please ask for a new one where you got it.',
}

async function open() {
  retry.hidden = true
  status.textContent = 'Opening your game…'
  const answer = await ask()
  if ('spinCount' in answer) {
    const spins = new Intl.NumberFormat().format(answer.spinCount)
    status.textContent = answer.spinCount === 1 ? 'You have 1 spin.' : `You have ${spins} spins.`
    return
  }
  const farewell = farewells[answer.code]
  status.textContent = farewell ?? 'The game could not be reached. Check your connection and try again.'
  retry.hidden = farewell !== undefined
}

/** @returns {Promise<{ spinCount: number } | { code: string }>} */
async function ask() {
  if (token === null) return { code: 'game_token_invalid' }
  try {
    const response = await fetch('/api/v1/game/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    return await response.json()
  } catch {
    return { code: 'unreachable' }
  }
}

void open()
