import type { AlertCause } from './alert-causes.ts'

type Words = {
  subject: { one: string; many: string }
  lead: string
  /** Where the console shows all of them. */
  path: string
}

export const alertWords: Record<AlertCause, Words> = {
  stock_low: {
    subject: { one: 'A prize runs low', many: '{count} prizes run low' },
    lead: 'A tenth of the stock, or less, is left. Raise the stock, or players will get the fallback instead.',
    path: '/wheels',
  },
  stock_gone: {
    subject: { one: 'A prize is gone', many: '{count} prizes are gone' },
    lead: 'The stock is empty. Players who draw this prize get the fallback instead.',
    path: '/wheels',
  },
  budget_low: {
    subject: { one: 'A budget is nearly used up', many: '{count} budgets are nearly used up' },
    lead: 'A tenth of the budget, or less, is left. When it is used up, prizes that cost something are not given.',
    path: '/wheels',
  },
  codes_low: {
    subject: { one: 'A code pool runs low', many: '{count} code pools run low' },
    lead: 'A tenth of the codes, or less, is left. Upload more, or players will get the fallback instead.',
    path: '/codes',
  },
  prizes_unchecked: {
    subject: {
      one: 'Held prizes wait for a check',
      many: 'Held prizes of {count} campaigns wait for a check',
    },
    lead: 'Players were told to expect a decision by now. Release the prizes, or refuse them.',
    path: '/prizes?state=held',
  },
  campaign_opened: {
    subject: { one: 'A campaign is open', many: '{count} campaigns are open' },
    lead: 'By its dates, players can play from now on.',
    path: '/campaigns',
  },
  campaign_ended: {
    subject: { one: 'A campaign has ended', many: '{count} campaigns have ended' },
    lead: 'By its dates, it takes no more plays. Prizes that were won can still be claimed and redeemed.',
    path: '/campaigns',
  },
  webhook_failing: {
    subject: { one: 'A webhook fails', many: '{count} webhooks fail' },
    lead: 'Your system does not take its events. They wait, and are sent when it takes them again.',
    path: '/developers?tab=webhooks',
  },
  draws_drift: {
    subject: {
      one: 'A prize is not drawn as chance says',
      many: '{count} prizes are not drawn as chance says',
    },
    lead: 'In the last 30 days it was drawn more or less often than chance explains: beyond six standard deviations. Something may be wrong. Tell the operator, and verify the plays.',
    path: '/overview',
  },
  daily_summary: {
    subject: { one: 'Your campaigns on {day}', many: 'Your campaigns on {day}' },
    lead: 'This happened in your campaigns on {day}.',
    path: '/reports',
  },
}
