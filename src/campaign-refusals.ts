import { linkListsMax } from './link-list-limits.ts'
import { liveCampaignsMax } from './limits.ts'

/** The codes of changes to campaigns; a part of the table in refusals.ts. */
export const campaignRefusals = {
  campaign_exists: {
    status: 409,
    title: 'The campaign already exists',
    cause: 'The merchant has a campaign with this id, possibly an archived one. Ids are never used again.',
    cure: 'Choose another id.',
  },
  campaign_limit_reached: {
    status: 409,
    title: 'The merchant has reached its limit of campaigns',
    cause: `A merchant can have at most ${liveCampaignsMax} campaigns that are not archived.`,
    cure: 'Archive a campaign that is over.',
  },
  campaign_is_main: {
    status: 409,
    title: 'The campaign `main` stays',
    cause: 'Every merchant has the campaign `main`, with its own purse. It cannot be archived.',
    cure: 'Pause it instead, or let it open another wheel.',
  },
  campaign_archived: {
    status: 409,
    title: 'The campaign is archived',
    cause: 'An archived campaign accepts no spins, links, tokens or changes. Nothing was changed.',
    cure: 'Restore it with `DELETE /api/v1/campaigns/{campaign}/archive`, or name another campaign.',
  },
  campaign_closed: {
    status: 409,
    title: 'The campaign is over',
    cause: 'The campaign has passed its `closesAt`: spins and links would be of no use. Nothing was changed.',
    cure: 'Move `closesAt`, or name another campaign.',
  },
  campaign_not_published: {
    status: 409,
    title: 'The wheel of the campaign is not published',
    cause: 'A game link needs a published wheel. Nothing was changed.',
    cure: 'Publish the wheel with `POST /api/v1/wheels/{wheel}/publication`.',
  },
  link_list_not_found: {
    status: 404,
    title: 'There is no such list of links',
    cause: 'It was deleted, or its links have ended, which deletes it.',
    cure: 'Make a new list.',
  },
  link_list_limit_reached: {
    status: 409,
    title: 'The merchant has reached its limit of lists of links',
    cause: `A merchant can have at most ${linkListsMax} lists whose links have not ended.`,
    cure: 'Delete a list that is not needed any more. Its links stay valid.',
  },
  link_list_unfinished: {
    status: 409,
    title: 'The links of the list are still being made',
    cause: 'The file can be downloaded when all links were made or refused.',
    cure: 'Read the list until it has `finishedAt`.',
  },
} as const
