/** Copies the text of an element. If no way is open, it is left selected, ready for the player's own copying. */
export async function copyText(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent)
    return true
  } catch {
    // No secure connection, or a frame that may not: the old way asks for no permission.
    getSelection()?.selectAllChildren(element)
    return document.execCommand('copy')
  }
}
