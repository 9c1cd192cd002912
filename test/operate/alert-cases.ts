// When each alert fires, and when it must not, as series for `promtool test rules` with a value per minute.

/** Values by series, in promtool's notation: `0+2x10` is 0, 2, 4 … 20, and `_` is a missing value. */
type Series = Record<string, string>

type AlertCase = {
  fires: Series
  /** A situation close to the other in which the alert must not fire. */
  quiet: Series
  /** The time of the check. */
  at: string
}

const one = 'job="wheelhouse",instance="a:9464"'
const refusals = (code: string, values: string): Series => ({
  [`wheelhouse_refusals_total{${one},code="${code}"}`]: values,
})
const work = (name: string, values: string): Series => ({
  [`wheelhouse_background_success_timestamp_seconds{${one},work="${name}"}`]: values,
})
const answers = (failed: string, fine: string): Series => ({
  [`wheelhouse_http_requests_total{${one},route="/api/game/sso",method="POST",status="503"}`]: failed,
  [`wheelhouse_http_requests_total{${one},route="/api/game/sso",method="POST",status="200"}`]: fine,
  // Probes are no reason to believe that all is well.
  [`wheelhouse_http_requests_total{${one},route="/livez",method="GET",status="200"}`]: '0+100000x60',
})
const seconds = (route: string, upTo: string): Series => ({
  [`wheelhouse_http_request_seconds_bucket{${one},route="${route}",le="0.5"}`]: upTo,
  [`wheelhouse_http_request_seconds_bucket{${one},route="${route}",le="2.5"}`]: '0+100x60',
  [`wheelhouse_http_request_seconds_bucket{${one},route="${route}",le="+Inf"}`]: '0+100x60',
})
const pool = (waiting: string, open: string): Series => ({
  [`wheelhouse_database_waiting{${one}}`]: waiting,
  [`wheelhouse_database_connections{${one}}`]: open,
  [`wheelhouse_database_connections_max{${one}}`]: '10x60',
})
const disk = (free: string): Series => ({
  [`wheelhouse_disk_free_bytes{${one}}`]: free,
  [`wheelhouse_disk_size_bytes{${one}}`]: '100e9x600',
})
const attempts = (failed: string, delivered: string): Series => ({
  [`wheelhouse_webhook_attempts_total{${one},outcome="failed"}`]: failed,
  [`wheelhouse_webhook_attempts_total{${one},outcome="delivered"}`]: delivered,
})

export const alertCases: Record<string, AlertCase> = {
  WheelhouseDown: {
    fires: { [`up{${one}}`]: '1x5 0x20' },
    quiet: { [`up{${one}}`]: '1x9 0 1x20' },
    at: '10m',
  },
  WheelhouseRestarting: {
    fires: { [`process_start_time_seconds{${one}}`]: '100x5 200x5 300x5 400x5 500x10' },
    quiet: { [`process_start_time_seconds{${one}}`]: '100x5 200x5 300x30' },
    at: '25m',
  },
  WheelhouseDatabaseDown: {
    fires: { [`wheelhouse_database_up{${one}}`]: '1x5 0x20' },
    quiet: { [`wheelhouse_database_up{${one}}`]: '1x9 0 1x20' },
    at: '10m',
  },
  WheelhouseWritesHanging: {
    fires: { [`wheelhouse_batch_in_flight_seconds{${one},kind="grants"}`]: '0x5 3x20' },
    quiet: { [`wheelhouse_batch_in_flight_seconds{${one},kind="grants"}`]: '0x9 3 0x20' },
    at: '10m',
  },
  WheelhouseWritesFailing: {
    fires: refusals('database_unavailable', '0x5 0+10x20'),
    quiet: refusals('no_spins', '0x5 0+10x20'),
    at: '15m',
  },
  WheelhouseErrorRatio: {
    fires: answers('0+5x60', '0+100x60'),
    quiet: answers('0+1x60', '0+100x60'),
    at: '20m',
  },
  WheelhouseSlow: {
    fires: seconds('/api/player/increaseSpin', '0+90x60'),
    // A reader that waits for events is answered late on purpose.
    quiet: { ...seconds('/api/v1/events', '0+10x60'), ...seconds('/api/game/sso', '0+100x60') },
    at: '30m',
  },
  WheelhouseOverloaded: {
    fires: refusals('overloaded', '0+20x60'),
    quiet: refusals('overloaded', '0+2x60'),
    at: '20m',
  },
  WheelhouseConnectionsExhausted: { fires: pool('3x60', '10x60'), quiet: pool('3x60', '9x60'), at: '10m' },
  WheelhouseDiskAlmostFull: { fires: disk('4e9x60'), quiet: disk('6e9x60'), at: '10m' },
  WheelhouseDiskFilling: {
    fires: disk('30e9-20e6x600'),
    quiet: disk('30e9-1e6x600'),
    at: '8h',
  },
  WheelhouseEventPartitionsMissing: {
    fires: { [`wheelhouse_event_partitions_ahead_seconds{${one}}`]: '50000x300' },
    quiet: { [`wheelhouse_event_partitions_ahead_seconds{${one}}`]: '90000x300' },
    at: '4h',
  },
  WheelhouseEventPartitionOverdue: {
    fires: { [`wheelhouse_event_partition_overdue_seconds{${one}}`]: '90000x300' },
    quiet: { [`wheelhouse_event_partition_overdue_seconds{${one}}`]: '3600x300' },
    at: '4h',
  },
  WheelhouseEventsNotNumbered: {
    fires: {
      ...work('number_events', '0+60x60'),
      [`wheelhouse_events_unnumbered_age_seconds{${one}}`]: '0+60x60',
    },
    quiet: {
      ...work('number_events', '0+60x60'),
      [`wheelhouse_events_unnumbered_age_seconds{${one}}`]: '1x60',
    },
    at: '15m',
  },
  WheelhouseWebhooksLagging: {
    fires: { [`wheelhouse_webhook_lag_events{${one}}`]: '9000x60' },
    quiet: { [`wheelhouse_webhook_lag_events{${one}}`]: '9000x25 10x5 9000x30' },
    at: '45m',
  },
  WheelhouseWebhooksFailing: {
    fires: attempts('0+9x60', '0+1x60'),
    quiet: attempts('0+4x60', '0+6x60'),
    at: '45m',
  },
  WheelhouseDeadLetters: {
    fires: { [`wheelhouse_webhook_dead_letters_total{${one}}`]: '0x5 1x20' },
    quiet: { [`wheelhouse_webhook_dead_letters_total{${one}}`]: '7x20' },
    at: '10m',
  },
  WheelhouseWebhookDisabled: {
    fires: { [`wheelhouse_webhooks_disabled_total{${one},reason="gone"}`]: '0x5 1x20' },
    quiet: { [`wheelhouse_webhooks_disabled_total{${one},reason="gone"}`]: '1x20' },
    at: '10m',
  },
  WheelhouseStockOut: {
    fires: { [`wheelhouse_stock_events_total{${one},state="out"}`]: '0x5 1x20' },
    quiet: { [`wheelhouse_stock_events_total{${one},state="low"}`]: '0x5 1x20' },
    at: '10m',
  },
  WheelhousePrizesUnchecked: {
    fires: { [`wheelhouse_prizes_overdue{${one}}`]: '0x5 2x20' },
    quiet: { [`wheelhouse_prizes_overdue{${one}}`]: '0x8 2x2 0x20' },
    at: '11m',
  },
  WheelhouseNotSealed: {
    fires: work('seal_ledger', '0+60x10 600x60'),
    quiet: work('seal_ledger', '0+60x20 1200x60'),
    at: '30m',
  },
  WheelhouseBackgroundWorkStuck: {
    fires: work('expire_prizes', '0x300'),
    // Another process does it.
    quiet: {
      ...work('expire_prizes', '0x300'),
      'wheelhouse_background_success_timestamp_seconds{job="wheelhouse",instance="b",work="expire_prizes"}':
        '0+60x300',
    },
    at: '200m',
  },
  WheelhouseClockWrong: {
    fires: { [`wheelhouse_clock_offset_seconds{${one}}`]: '0x5 30x20' },
    quiet: { [`wheelhouse_clock_offset_seconds{${one}}`]: '0x5 30x2 0x20' },
    at: '15m',
  },
  WheelhouseSignInAttack: {
    fires: refusals('sign_in_failed', '0+20x60'),
    quiet: refusals('sign_in_failed', '0+2x60'),
    at: '15m',
  },
  WheelhouseTokenGuessing: {
    fires: refusals('token_invalid', '0+100x60'),
    quiet: refusals('token_expired', '0+100x60'),
    at: '15m',
  },
  WheelhouseNoBackup: {
    fires: { [`wheelhouse_backup_last_timestamp_seconds{${one}}`]: '0x1500' },
    quiet: { [`wheelhouse_backup_last_timestamp_seconds{${one}}`]: 'NaNx1500' },
    at: '1500m',
  },
  WheelhouseBackupFailed: {
    fires: {
      [`wheelhouse_backups_total{${one},outcome="failed"}`]: '0 1x120',
      [`wheelhouse_backups_total{${one},outcome="done"}`]: '0x120',
    },
    quiet: {
      [`wheelhouse_backups_total{${one},outcome="failed"}`]: '0 1x120',
      [`wheelhouse_backups_total{${one},outcome="done"}`]: '0x30 1x90',
    },
    at: '90m',
  },
  WheelhouseEventLoopBlocked: {
    fires: { [`nodejs_eventloop_lag_p99_seconds{${one}}`]: '1x60' },
    quiet: { [`nodejs_eventloop_lag_p99_seconds{${one}}`]: '1x5 0.01x60' },
    at: '20m',
  },
  WheelhouseLogLinesDropped: {
    fires: { [`wheelhouse_log_lines_dropped_total{${one},trouble="disk_full"}`]: '0x5 3x20' },
    quiet: { [`wheelhouse_log_lines_dropped_total{${one},trouble="disk_full"}`]: '3x30' },
    at: '10m',
  },
  WheelhouseTracesDropped: {
    fires: { [`wheelhouse_trace_spans_total{${one},outcome="dropped"}`]: '0+10x60' },
    quiet: { [`wheelhouse_trace_spans_total{${one},outcome="dropped"}`]: '0x5 10x60' },
    at: '40m',
  },
}
