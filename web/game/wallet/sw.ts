/** The service worker of the wallet: answers from the cache where the network does not. It stores nothing itself. */
type FetchEvent = Event & { request: Request; respondWith: (response: Promise<Response>) => void }

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  const isPage = request.mode === 'navigate'
  if (request.method !== 'GET' || !(isPage || request.url.includes('/assets/'))) return
  const kept = () => caches.match(isPage ? './' : request)
  const answer = isPage
    ? fetch(request).catch(async () => (await kept()) ?? Response.error())
    : kept().then((found) => found ?? fetch(request))
  ;(event as FetchEvent).respondWith(answer)
})
