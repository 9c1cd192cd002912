/** Languages written from right to left, whether or not there are texts for them yet. */
export const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])
