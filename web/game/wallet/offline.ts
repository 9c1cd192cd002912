/** Lets the page open without a connection: its files are kept in a cache, from which sw.ts answers. */
const cacheName = 'wheelhouse-wallet'

export async function keepPage(): Promise<void> {
  try {
    await navigator.serviceWorker.register('./sw.js', { scope: './' })
    const cache = await caches.open(cacheName)
    const files = performance.getEntriesByType('resource').map(({ name }) => name)
    // Without the token, which the address no longer has.
    await cache.addAll([
      new URL('./', location.href).href,
      ...files.filter((name) => name.includes('/assets/')),
    ])
  } catch {
    // Not a secure connection, or a private window: the page then needs a connection.
  }
}

export async function forgetPage(): Promise<void> {
  try {
    await caches.delete(cacheName)
    const worker = await navigator.serviceWorker.getRegistration('./')
    await worker?.unregister()
  } catch {
    // There was none.
  }
}
