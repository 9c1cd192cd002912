-- Whether an address was proven (docs/decisions/0094-an-invitation-proves-no-address.md): by a link that only its mailbox got.
alter table staff
  add column email_proven_at timestamptz;

alter table staff_invitations
  add column is_mailed boolean not null default false;
