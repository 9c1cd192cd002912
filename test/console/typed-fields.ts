// Typing into the fields of the console, as a person does.
import type { Locator, Page } from 'playwright-core'

/** Replaces the text of a field, key by key. */
export async function typeKeys(field: Locator, text: string): Promise<void> {
  await field.focus()
  await field.press('Control+a')
  await field.press('Backspace')
  for (const key of text) await field.page().keyboard.type(key)
}

/** Types the parts of a date or time from the first on; Chromium moves to the next part by itself or on a key. */
export async function typeMoment(field: Locator, parts: string): Promise<void> {
  await field.blur()
  await field.focus()
  for (const key of parts.replaceAll(' ', '')) await field.page().keyboard.press(key)
}

/** Waits until the editor reports that everything on the screen is stored. */
export async function saved(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .getByText(/^· (Saved|Draft saved, \d+ changes? not published)$/)
    .waitFor()
}

/** The description that a screen reader adds to the name of a field. */
export async function descriptionOf(field: Locator): Promise<string> {
  return field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )
}
