/** An amount of money in a mail, with the merchant's currency if it has one. */
export function amountText(amount: number, currency: string | null): string {
  const style = currency === null ? { minimumFractionDigits: 2 } : ({ style: 'currency', currency } as const)
  return new Intl.NumberFormat('en', style).format(amount)
}
