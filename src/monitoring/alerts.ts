/** An alert rule for Prometheus, with its entry in the runbook. */
export type Alert = {
  name: string
  /** critical: wake somebody. warning: look at it today. info: worth knowing. */
  severity: 'critical' | 'warning' | 'info'
  expr: string
  /** How long the condition must hold. */
  for: string
  summary: string
  meaning: string
  action: string
}

/** A minute of requests to `/livez` and `/readyz` must not hide that all others fail. */
const served = 'route!~"/livez|/readyz|none"'
const operations = 'route=~"/api/player/increaseSpin|/api/game/sso|/api/v1/game/plays"'

/** Every alert. This list makes the rule file and the runbook in docs/monitoring.md. */
export const alerts: readonly Alert[] = [
  {
    name: 'WheelhouseDown',
    severity: 'critical',
    expr: 'up{job="wheelhouse"} == 0 or absent(up{job="wheelhouse"})',
    for: '1m',
    summary: 'A server does not report its metrics.',
    meaning:
      "Prometheus can't reach the metrics of a server, or knows no server. Most likely the process is gone.",
    action:
      'Look at the supervisor and at the last lines of the log. `wheelhouse doctor` checks settings, database, schema, clock and disk. Nothing acknowledged is lost; clients retry.',
  },
  {
    name: 'WheelhouseRestarting',
    severity: 'warning',
    expr: 'changes(process_start_time_seconds{job="wheelhouse"}[30m]) > 3',
    for: '0m',
    summary: 'A server restarts again and again.',
    meaning: 'The process was started more than three times within half an hour.',
    action:
      'Read the log before each end: a crash prints its error. Check the memory limit of the supervisor.',
  },
  {
    name: 'WheelhouseDatabaseDown',
    severity: 'critical',
    expr: 'wheelhouse_database_up == 0',
    for: '1m',
    summary: 'A server gets no answer from PostgreSQL.',
    meaning:
      'The server asks PostgreSQL for the time every ten seconds, and got no answer. Every write is refused with 503.',
    action:
      'Check that PostgreSQL runs and takes connections: `wheelhouse doctor`. After a failover, check that DATABASE_URL names the new host. The server reconnects by itself.',
  },
  {
    name: 'WheelhouseWritesHanging',
    severity: 'critical',
    expr: 'wheelhouse_batch_in_flight_seconds > 2',
    for: '1m',
    summary: 'Writes ({{ $labels.kind }}) hang in the database.',
    meaning:
      'For a minute, some batch of writes was always older than two seconds. Callers get 503 after five seconds.',
    action:
      "Look for a lock or a slow disk: `select * from pg_stat_activity where state <> 'idle'`. With a synchronous standby, check that the standby answers: commits wait for it.",
  },
  {
    name: 'WheelhouseWritesFailing',
    severity: 'critical',
    expr: 'sum by (instance, code) (increase(wheelhouse_refusals_total{code=~"database_unavailable|internal_error"}[5m])) > 5',
    for: '2m',
    summary: 'Requests fail with {{ $labels.code }}.',
    meaning: 'More than five requests in five minutes failed because of the server, not of the caller.',
    action:
      'Find the error in the log: it has the request id of the problem document. `internal_error` is a bug; please report it. `database_unavailable`: see WheelhouseDatabaseDown.',
  },
  {
    name: 'WheelhouseErrorRatio',
    severity: 'warning',
    expr:
      `sum(rate(wheelhouse_http_requests_total{status=~"5..",${served}}[5m])) / ` +
      `sum(rate(wheelhouse_http_requests_total{${served}}[5m])) > 0.02`,
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the requests fail.',
    meaning: 'More than two percent of the requests get a 5xx answer, overload included.',
    action: 'The panel Refusals shows the codes. Continue with the alert for the code.',
  },
  {
    name: 'WheelhouseSlow',
    severity: 'warning',
    expr: `histogram_quantile(0.99, sum by (le, route) (rate(wheelhouse_http_request_seconds_bucket{${operations}}[5m]))) > 1`,
    for: '10m',
    summary: 'One in a hundred requests to {{ $labels.route }} takes longer than a second.',
    meaning: 'The 99th percentile of the answer time was above one second for ten minutes.',
    action:
      'Compare Wait for a batch with Time of a batch: a long batch means a slow database or disk, a long wait means that one process is not enough. Traces show single requests.',
  },
  {
    name: 'WheelhouseOverloaded',
    severity: 'warning',
    expr: 'sum by (instance) (increase(wheelhouse_refusals_total{code="overloaded"}[5m])) > 30',
    for: '5m',
    summary: 'A server refuses requests because it has too many.',
    meaning:
      'A queue is full. Requests are refused at once with 503 and Retry-After, so that the others stay fast.',
    action:
      'Find the merchant that sends the most requests (`merchant` in the log). Add a server or PROCESSES, or give PostgreSQL more cores.',
  },
  {
    name: 'WheelhouseConnectionsExhausted',
    severity: 'warning',
    expr: 'wheelhouse_database_waiting > 0 and wheelhouse_database_connections >= wheelhouse_database_connections_max',
    for: '5m',
    summary: 'Requests wait for a connection to PostgreSQL.',
    meaning: 'Every connection of the pool has been in use for five minutes, and requests wait for one.',
    action:
      'Look for slow statements in PostgreSQL first. Then raise DATABASE_POOL_MAX, within max_connections of PostgreSQL.',
  },
  {
    name: 'WheelhouseDiskAlmostFull',
    severity: 'critical',
    expr: 'wheelhouse_disk_free_bytes / wheelhouse_disk_size_bytes < 0.05',
    for: '5m',
    summary: 'Only {{ $value | humanizePercentage }} of the disk is free.',
    meaning: 'The embedded PostgreSQL stops when its disk is full, and with it every write.',
    action:
      'Make room or enlarge the disk now. Old folders in BACKUP_DIR may be deleted. Never delete files in DATA_DIR/embedded or ARCHIVE_DIR.',
  },
  {
    name: 'WheelhouseDiskFilling',
    severity: 'warning',
    expr:
      'predict_linear(wheelhouse_disk_free_bytes[6h], 4 * 86400) < 0 ' +
      'and wheelhouse_disk_free_bytes / wheelhouse_disk_size_bytes < 0.4',
    for: '1h',
    summary: 'The disk will be full within four days.',
    meaning: 'If the disk fills as in the last six hours, it is full within four days.',
    action:
      'Enlarge the disk. Lower EVENT_RETENTION_DAYS if events take most of the space. Check that backups go elsewhere.',
  },
  {
    name: 'WheelhouseEventPartitionsMissing',
    severity: 'warning',
    expr: 'max(wheelhouse_event_partitions_ahead_seconds) < 86400',
    for: '2h',
    summary: 'The event log has no partition for tomorrow.',
    meaning:
      'A server adds partitions ahead of time, once an hour. Without one, events go to the default partition: nothing is lost, but their rows are deleted one by one later.',
    action:
      'Look for `deleting old events failed` in the log. The role of Wheelhouse must own its tables. A transaction that stays open for hours can hold a lock: see pg_stat_activity.',
  },
  {
    name: 'WheelhouseEventPartitionOverdue',
    severity: 'warning',
    expr: 'max(wheelhouse_event_partition_overdue_seconds) > 86400',
    for: '2h',
    summary: 'Old events are not dropped, so the event log grows.',
    meaning: 'A partition of the event log should have been dropped a day ago.',
    action:
      'Look for `deleting old events failed` in the log, and in PostgreSQL for transactions that stay open for hours: dropping waits for them. See docs/scale.md.',
  },
  {
    name: 'WheelhouseEventsNotNumbered',
    severity: 'critical',
    expr:
      'max(wheelhouse_events_unnumbered_age_seconds) > 60 ' +
      'or time() - max(wheelhouse_background_success_timestamp_seconds{work="number_events"}) > 60',
    for: '5m',
    summary: 'Events are not numbered, so nobody receives them.',
    meaning:
      'Events are safe in the database, but readers and webhooks see them only once they have a number.',
    action:
      'Look for `numbering events failed` in the log, and in PostgreSQL for a transaction that holds a lock on event_streams. Numbering continues by itself.',
  },
  {
    name: 'WheelhouseWebhooksLagging',
    severity: 'warning',
    expr: 'max(wheelhouse_webhook_lag_events) > 5000',
    for: '30m',
    summary: '{{ $value }} events wait to be sent by webhooks.',
    meaning: 'For half an hour, webhooks were more than 5,000 events behind.',
    action:
      'One receiver that is down, or slower than its events, is enough. The console shows the lag of each webhook. Tell its merchant, or pause the webhook. Raise WEBHOOK_CONCURRENCY if the receiver can take more.',
  },
  {
    name: 'WheelhouseWebhooksFailing',
    severity: 'warning',
    expr:
      'sum(rate(wheelhouse_webhook_attempts_total{outcome="failed"}[15m])) / sum(rate(wheelhouse_webhook_attempts_total[15m])) > 0.5 ' +
      'and sum(increase(wheelhouse_webhook_attempts_total[15m])) > 20',
    for: '15m',
    summary: 'Most webhook attempts fail.',
    meaning:
      'More than half of the attempts of all webhooks failed. Either one busy receiver fails, or the network of the server does.',
    action:
      'Check DNS and outgoing connections of the server. The attempts in the console show the error of each.',
  },
  {
    name: 'WheelhouseDeadLetters',
    severity: 'warning',
    expr: 'sum(increase(wheelhouse_webhook_dead_letters_total[1h])) > 0',
    for: '0m',
    summary: 'Events were given up after their last attempt.',
    meaning:
      'A receiver did not take an event in ten attempts over three days (WEBHOOK_RETRY_PAUSES). It is now a dead letter, and is kept for WEBHOOK_DEAD_LETTER_DAYS.',
    action:
      'Tell the merchant. Once the receiver works, resend the events in the console or with `POST /api/v1/webhooks/{webhook}/resend`.',
  },
  {
    name: 'WheelhouseWebhookDisabled',
    severity: 'warning',
    expr: 'sum by (reason) (increase(wheelhouse_webhooks_disabled_total[1h])) > 0',
    for: '0m',
    summary: 'A webhook was disabled ({{ $labels.reason }}).',
    meaning: 'The receiver failed for three days, or answered 410 Gone. Its events are not sent any more.',
    action: 'Tell the merchant, who can resume the webhook in the console.',
  },
  {
    name: 'WheelhouseStockOut',
    severity: 'info',
    expr: 'sum(increase(wheelhouse_stock_events_total{state="out"}[1h])) > 0',
    for: '0m',
    summary: 'A prize has run out.',
    meaning:
      'The last unit of a limited prize was won. Players who draw it now get the fallback of the wheel.',
    action:
      'The event `prize.stock_out` names merchant, wheel and prize. The merchant decides whether to add stock.',
  },
  {
    name: 'WheelhousePrizesUnchecked',
    severity: 'warning',
    expr: 'max(wheelhouse_prizes_overdue) > 0',
    for: '5m',
    summary: 'Players wait for prizes that are held.',
    meaning:
      'Prizes are held for longer than their players were told. Nothing releases or refuses them but the staff of the merchant.',
    action:
      'Ask the merchant to release or refuse them: the overview of the console counts them, and `GET /api/v1/prizes?state=held` lists them.',
  },
  {
    name: 'WheelhouseNotSealed',
    severity: 'critical',
    expr: 'time() - max(wheelhouse_background_success_timestamp_seconds{work="seal_ledger"}) > 900',
    for: '1m',
    summary: 'The ledger has not been sealed for 15 minutes.',
    meaning: 'New entries and plays have no seal yet, so a manual edit of them would not be noticed.',
    action: 'Look for `sealing the ledger failed` in the log. When it works again, run `wheelhouse audit`.',
  },
  {
    name: 'WheelhouseBackgroundWorkStuck',
    severity: 'warning',
    expr: 'time() - max by (work) (wheelhouse_background_success_timestamp_seconds) > 3 * 3600',
    for: '5m',
    summary: 'The work {{ $labels.work }} has not succeeded for three hours.',
    meaning: 'No process has finished this work, though it is due at least once an hour.',
    action: 'Find its failures in the log, at the level warn. A restart is safe.',
  },
  {
    name: 'WheelhouseClockWrong',
    severity: 'warning',
    expr: 'wheelhouse_clock_offset_seconds > 5',
    for: '5m',
    summary: 'The clocks of a server and of PostgreSQL are {{ $value | humanizeDuration }} apart.',
    meaning:
      'Links, schedules and expiry use the clock of the server. Receivers refuse webhooks that are five minutes off.',
    action: 'Check time synchronisation (chrony, systemd-timesyncd) on both machines.',
  },
  {
    name: 'WheelhouseSignInAttack',
    severity: 'warning',
    expr: 'sum(increase(wheelhouse_refusals_total{code=~"sign_in_failed|sign_in_delayed|second_factor_wrong|passkey_refused"}[10m])) > 100',
    for: '0m',
    summary: 'Many sign-ins to the console fail.',
    meaning:
      'More than 100 sign-ins failed in ten minutes. Somebody may be guessing passwords. Attempts are delayed already.',
    action:
      'Find the addresses in the log of the proxy, and block them there. Make sure that every account has a second factor.',
  },
  {
    name: 'WheelhouseTokenGuessing',
    severity: 'warning',
    expr: 'sum(increase(wheelhouse_refusals_total{code=~"token_invalid|failed_tokens_limited"}[10m])) > 500',
    for: '0m',
    summary: 'Many requests come with wrong tokens.',
    meaning:
      'More than 500 requests in ten minutes had a wrong service token: an attack, or a merchant with an old token.',
    action:
      'Ask the merchants that rotated a token lately. Otherwise block the address at the proxy; nobody can guess a token.',
  },
  {
    name: 'WheelhouseNoBackup',
    severity: 'warning',
    expr: 'max(wheelhouse_backup_last_timestamp_seconds) == 0',
    for: '1d',
    summary: 'There is no backup.',
    meaning:
      'No backup of the embedded PostgreSQL was ever taken. If its disk is lost, so is every balance and every prize.',
    action:
      'Set BACKUP_EVERY_HOURS, or run `wheelhouse backup` daily. Put BACKUP_DIR on another disk, and copy it to another machine.',
  },
  {
    name: 'WheelhouseBackupFailed',
    severity: 'warning',
    expr: 'sum(increase(wheelhouse_backups_total{outcome="failed"}[6h])) > 0 and sum(increase(wheelhouse_backups_total{outcome="done"}[6h])) == 0',
    for: '1h',
    summary: 'Scheduled backups fail.',
    meaning: 'A scheduled backup has failed, and none has succeeded since. Older backups are kept.',
    action:
      'The log says why: most often the disk of BACKUP_DIR is full, or the server may not write there. `wheelhouse backup` tries it by hand.',
  },
  {
    name: 'WheelhouseEventLoopBlocked',
    severity: 'warning',
    expr: 'nodejs_eventloop_lag_p99_seconds{job="wheelhouse"} > 0.5',
    for: '10m',
    summary: 'A server process is too busy to answer in time.',
    meaning: 'Requests wait half a second before the process can look at them.',
    action: 'Check whether the machine has free cores, and whether it swaps. Add PROCESSES or a server.',
  },
  {
    name: 'WheelhouseLogLinesDropped',
    severity: 'warning',
    expr: 'sum by (instance, trouble) (increase(wheelhouse_log_lines_dropped_total[15m])) > 0',
    for: '0m',
    summary: 'Lines of the log are lost ({{ $labels.trouble }}).',
    meaning:
      'Standard output takes no more: its disk is full (disk_full), the program that read it has ended (closed) or has ' +
      'stopped reading (blocked), or writing fails (failed). The server goes on serving, without these lines.',
    action:
      'Free space on the disk of the log, and rotate the log. If the reader has ended, restart the server: its output ' +
      "can't be reconnected. When writing works again, one line of the log has the number of lines that are missing.",
  },
  {
    name: 'WheelhouseTracesDropped',
    severity: 'info',
    expr: 'sum by (instance) (increase(wheelhouse_trace_spans_total{outcome="dropped"}[15m])) > 0',
    for: '15m',
    summary: 'Traces are lost.',
    meaning:
      'The receiver at OTEL_EXPORTER_OTLP_ENDPOINT is down or slow, or more is traced than it takes. Nothing else suffers.',
    action: 'Check the endpoint: the log says when exporting fails. Lower OTEL_TRACES_SAMPLER_ARG.',
  },
]
