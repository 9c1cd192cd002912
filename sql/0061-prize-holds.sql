-- Prizes that staff check before the player gets them. The play of such a prize has neither code nor last day: they are
-- here, and count once the prize is released.
create table prize_holds (
  player_no bigint not null,
  -- When it was won.
  held_at timestamptz not null,
  -- By when staff should decide.
  due_at timestamptz not null,
  decided_at timestamptz,
  -- The end of the claim period, which begins with the release.
  claim_before timestamptz,
  shard int not null,
  merchant_id int not null,
  play_no int not null,
  -- The condition of the wheel's rule that held it.
  cause text collate "C" not null,
  -- Null until staff has decided. A decision never changes.
  decision text collate "C" check (decision in ('released', 'refused')),
  -- From a pool. A refusal gives it back.
  code text collate "C",
  primary key (shard, player_no, play_no),
  check ((decision is null) = (decided_at is null)),
  check (claim_before is null or decision = 'released'),
  check (code is null or decision is distinct from 'refused')
);

-- What is to be checked, and what is overdue.
create index prize_holds_open_idx on prize_holds (merchant_id, held_at, player_no, play_no) where decision is null;

create index prize_holds_due_idx on prize_holds (due_at) where decision is null;

create index prize_holds_claim_idx on prize_holds (claim_before) where claim_before is not null;

create index prize_holds_lower_code_idx on prize_holds (merchant_id, lower(code)) where code is not null;

create index prize_holds_brin on prize_holds using brin (held_at) with (pages_per_range = 32, autosummarize = on);

revoke delete, truncate on prize_holds from current_user;

-- Every row that is there fits: both allow more than before.
alter table prize_settlements
  drop constraint prize_settlements_check1,
  drop constraint prize_settlements_step_check,
  add constraint prize_settlements_check1 check (state in ('cancelled', 'refused') or not stock_returned) not valid,
  add constraint prize_settlements_step_check check (
    case state
      when 'claimed' then step % 2 = 1
      when 'redeemed' then step % 2 = 0
      when 'cancelled' then step % 2 = 0
      when 'expired' then step = 2
      when 'refused' then step = 2
      else false
    end
    and step >= 1
  ) not valid;

alter table campaign_days add column held bigint not null default 0, add column refused bigint not null default 0;

alter table campaign_months add column held bigint not null default 0, add column refused bigint not null default 0;
