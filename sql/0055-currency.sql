alter table merchants
  -- Of the costs of prizes and of budgets, as in ISO 4217; null while none is chosen. It changes only what is shown.
  add column currency text;

alter table merchants add constraint merchants_currency_check check (currency ~ '^[A-Z]{3}$');
