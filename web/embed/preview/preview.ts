/**
 * A page like a shop's, for the console's preview. The attributes of the element are in the fragment of its address,
 * which no server sees. The page's policy allows frames of this server only.
 */
const shown = ['link', 'mode', 'trigger', 'label', 'close-label']

const script = document.createElement('script')
script.src = '../v1.js'
document.head.append(script)

const game = document.createElement('wheelhouse-game')
const given = new URLSearchParams(location.hash.slice(1))
for (const name of shown) {
  const value = given.get(name)
  if (value !== null) game.setAttribute(name, value)
}
document.getElementById('place')?.append(game)
