/** Copies the text of an element. If that fails, the text stays selected so that the player can copy it. */
export async function copyText(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent)
    return true
  } catch {
    // Not a secure connection, or a frame without permission: `execCommand` needs neither.
    getSelection()?.selectAllChildren(element)
    return document.execCommand('copy')
  }
}
