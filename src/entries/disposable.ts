/** Whether a domain belongs to a provider of throw-away addresses. The list is loaded where a merchant wants it. */
export async function isDisposable(domain: string): Promise<boolean> {
  const { isDisposableEmailDomain } = await import('disposable-email-domains-js')
  // A subdomain of a listed domain belongs to the same provider.
  const labels = domain.split('.')
  return labels.some((_, index) => {
    const parent = labels.slice(index)
    return parent.length > 1 && isDisposableEmailDomain(parent.join('.'))
  })
}
