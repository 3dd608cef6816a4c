import type { ObservedHealth } from '@bey/contract/clusters/rules'

/** What was observed of the cluster `c` by its row `h` of `cluster_health`, as one JSON value; null before the first time. */
export const observedHealth = `case when h.cluster_id is not null then jsonb_build_object(
    'state', h.state, 'reason', h.reason, 'detail', h.detail, 'object', h.object,
    'since', to_char(h.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'isCurrent', h.lease_until > now()) end`

/** The state of health of the cluster `c`, for filters and orders; says what `healthOfCluster` says. */
export const healthStateSql = `case
    when c.status = 'ERROR' then 'failing'
    when c.status = 'DELETED' then 'unknown'
    when c.status <> 'RUNNING' then 'starting'
    when c.reachability = 'unreachable' then 'unknown'
    when h.cluster_id is null then 'starting'
    when h.lease_until <= now() then 'unknown'
    else h.state end`

/** Smaller is worse, as in `healthStates`. */
export const healthRankSql = `array_position(
    array['failing', 'degraded', 'unknown', 'starting', 'healthy'], ${healthStateSql})`

export type ObservedHealthColumn = ObservedHealth | null
