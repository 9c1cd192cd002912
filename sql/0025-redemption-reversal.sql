-- A redemption can be taken back for a while (docs/decisions/0057-reversals-searches-and-workbooks.md).

alter table merchants
  -- How long after it a redemption can be taken back; 0 for never.
  add column redemption_reversal_hours int not null default 24 check (redemption_reversal_hours between 0 and 720);

-- Odd steps put a prize into the state `claimed`, even ones end it. Step 1 is the claim. Steps 3, 5 … each take back the
-- redemption before them. The rows that are there fit: the old check was stricter.
alter table prize_settlements
  drop constraint prize_settlements_check,
  add constraint prize_settlements_step_check check (
    case state
      when 'claimed' then step % 2 = 1
      when 'redeemed' then step % 2 = 0
      when 'cancelled' then step % 2 = 0
      when 'expired' then step = 2
      else false
    end
    and step >= 1
  ) not valid;

-- A code is found in any case. This index replaces the one by the exact code, so that a play still writes one.
create index plays_lower_code_idx on plays (merchant_id, lower(code)) where code is not null;
drop index plays_code_idx;
