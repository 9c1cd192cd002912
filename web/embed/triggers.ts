type Show = (isWanted: boolean) => void

/**
 * Sets up triggers, such as `delay 5; exit`, until `signal` is aborted. The first of delay, scroll and exit shows the
 * game, once. A click shows it each time, and means that the visitor wants it. Throws if a trigger can't work.
 */
export function arm(triggers: string, show: Show, signal: AbortSignal): void {
  let isDone = false
  const showOnce = () => {
    if (!isDone && !signal.aborted) show(false)
    isDone = true
  }
  const showWanted = () => {
    isDone = true
    show(true)
  }
  for (const trigger of triggers.split(';')) {
    const [, name = '', value = ''] = /^\s*(\S*)\s*(.*)$/s.exec(trigger) ?? []
    if (name === 'load') showOnce()
    else if (name === 'delay') setTimeout(showOnce, numberIn(trigger, value) * 1000)
    else if (name === 'scroll') onScroll(numberIn(trigger, value), showOnce, signal)
    else if (name === 'exit') onExit(showOnce, signal)
    else if (name === 'click') onClick(value, showWanted, signal)
    else if (name !== 'none') throw new Error(`there is no trigger "${trigger}"`)
  }
}

function numberIn(trigger: string, value: string): number {
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value)
  throw new Error(`the trigger "${trigger}" needs a number`)
}

/** Once that share of the way down the page has been scrolled. */
function onScroll(percent: number, show: () => void, signal: AbortSignal): void {
  const check = () => {
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement
    if (scrollTop > 0 && scrollTop * 100 >= percent * (scrollHeight - clientHeight - 1)) show()
  }
  addEventListener('scroll', check, { signal, passive: true })
}

/** When the pointer leaves the window at the top, where tabs and addresses are. */
function onExit(show: () => void, signal: AbortSignal): void {
  const check = (event: MouseEvent) => event.clientY <= 0 && show()
  document.documentElement.addEventListener('mouseleave', check, { signal })
}

/** A link may be the target too: without this script it opens the game in its own page. */
function onClick(selector: string, show: () => void, signal: AbortSignal): void {
  document.createElement('i').matches(selector)
  const check = (event: MouseEvent) => {
    const isTarget = (node: EventTarget) => node instanceof Element && node.matches(selector)
    if (!event.composedPath().some(isTarget)) return
    event.preventDefault()
    show()
  }
  document.addEventListener('click', check, { signal })
}
