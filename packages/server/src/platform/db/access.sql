-- Who may do what with the tables, and the functions of the owner. Repeatable: run whole after each change.

-- 1. The application role gets the tables that have a policy for it, and nothing else.
revoke all on all tables in schema public from bey_app;
revoke all on all sequences in schema public from bey_app;
grant usage on schema public to bey_app;

do $$
declare
  t record;
begin
  for t in
    select c.oid::regclass as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      -- Only where needed: it locks the table against everybody. Tables of others are left alone.
      and not (c.relrowsecurity and c.relforcerowsecurity) and pg_has_role(c.relowner, 'usage')
  loop
    execute format('alter table %s enable row level security', t.name);
    execute format('alter table %s force row level security', t.name);
  end loop;
  for t in
    select distinct p.polrelid::regclass as name
    from pg_policy p
    join pg_class c on c.oid = p.polrelid and c.relnamespace = 'public'::regnamespace
    where (select oid from pg_roles where rolname = 'bey_app') = any (p.polroles)
  loop
    execute format('grant select, insert, update, delete on %s to bey_app', t.name);
  end loop;
end
$$;

-- Append-only, by grant (and by trigger, below, for everybody).
revoke update, delete on audit_entries from bey_app;
revoke insert, update, delete on audit_heads from bey_app;
-- Organizations are made and unmade by the system.
revoke insert, delete on organizations from bey_app;
-- A password hash can be set, never read back: only find_login reads it.
revoke select, insert, delete on users from bey_app;
grant select (id, email, name, active_organization_id, created_at, updated_at) on users to bey_app;

-- 2. The audit chain.
create or replace function audit_hash(e audit_entries) returns bytea
language sql immutable parallel safe set search_path = pg_catalog
as $$
  select sha256(convert_to(jsonb_build_array(
    encode(e.prev_hash, 'hex'), e.organization_id, e.seq, e.id,
    (extract(epoch from e.at) * 1000)::bigint,
    e.actor_type, e.actor_id, e.actor_display, e.via, e.action, e.class,
    e.target_type, e.target_id, e.target_name, e.outcome,
    e.ip, e.user_agent, e.request_id, e.run_id, e.diff
  )::text, 'UTF8'))
$$;

create or replace function audit_append() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  head audit_heads;
begin
  insert into audit_heads (organization_id, seq, hash) values (new.organization_id, 0, ''::bytea)
  on conflict (organization_id) do nothing;
  -- Held until the transaction ends: entries of an organization are written one after another, without gaps.
  select * into head from audit_heads h where h.organization_id = new.organization_id for update;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_hash(new);
  update audit_heads h set seq = new.seq, hash = new.hash where h.organization_id = new.organization_id;
  return new;
end
$$;

create or replace function audit_refuse() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;

create or replace trigger audit_entries_append before insert on audit_entries
  for each row execute function audit_append();
create or replace trigger audit_entries_keep before update or delete on audit_entries
  for each row execute function audit_refuse();
create or replace trigger audit_entries_keep_all before truncate on audit_entries
  for each statement execute function audit_refuse();

-- Runs with the rights of whoever asks, so a member verifies the own organization and nothing else.
drop function if exists verify_audit(int);
create function verify_audit(of_organization_id int)
returns table (entries bigint, seq bigint, problem text)
language sql stable set search_path = public, pg_temp
as $$
  with chain as (
    select e.seq, e.prev_hash, e.hash, audit_hash(e) as computed,
           row_number() over w as expected_seq, lag(e.hash) over w as previous
    from audit_entries e
    where e.organization_id = of_organization_id
    window w as (order by e.seq)
  ), faults as (
    select c.expected_seq as seq,
           case
             when c.seq <> c.expected_seq then 'An entry is missing or was moved'
             when c.prev_hash <> coalesce(c.previous, ''::bytea) then 'It does not follow the entry before it'
             else 'It was changed after it was written'
           end as problem
    from chain c
    where c.seq <> c.expected_seq
       or c.prev_hash <> coalesce(c.previous, ''::bytea)
       or c.hash <> c.computed
    union all
    select least(h.seq, l.seq) + 1, 'Entries were cut off the end or added past the chain'
    from (select coalesce(max(a.seq), 0) as seq, coalesce((array_agg(a.hash) filter (where a.is_last))[1], ''::bytea) as hash
          from (select c.seq, c.hash, c.seq = max(c.seq) over () as is_last from chain c) a) l
    cross join (
      select coalesce(max(h.seq), 0) as seq, coalesce((array_agg(h.hash))[1], ''::bytea) as hash
      from audit_heads h where h.organization_id = of_organization_id
    ) h
    where h.seq <> l.seq or h.hash <> l.hash
  )
  select (select count(*) from chain), f.seq, f.problem
  from (select 1) one left join (select * from faults order by seq limit 1) f on true
$$;

-- 3. What must be read before a tenant is known.
drop function if exists authenticate_session(bytea, int);
create function authenticate_session(hash bytea, requested_organization_id int)
returns table (
  session_id uuid, user_id int, email text, name text, active_organization_id int,
  organization_id int, organization_name text, role text, expires_at timestamptz,
  impersonator_name text, impersonator_id int
)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  last_used timestamptz;
begin
  select s.id, s.user_id, u.email, u.name, u.active_organization_id, s.expires_at, s.last_used_at,
         s.impersonator_name, s.impersonator_id
  into session_id, user_id, email, name, active_organization_id, expires_at, last_used,
       impersonator_name, impersonator_id
  from sessions s join users u on u.id = s.user_id
  where s.token_hash = hash and s.expires_at > now();
  if not found then
    return;
  end if;
  select m.organization_id, o.name, m.role
  into organization_id, organization_name, role
  from memberships m join organizations o on o.id = m.organization_id
  where m.user_id = authenticate_session.user_id
    and (requested_organization_id is null or m.organization_id = requested_organization_id)
  order by (m.organization_id = authenticate_session.active_organization_id) desc nulls last, m.organization_id
  limit 1;
  -- Sliding, but written at most once an hour. An impersonated session ends when it was said to.
  if last_used < now() - interval '1 hour' and impersonator_name is null then
    expires_at := now() + interval '30 days';
    update sessions s set last_used_at = now(), expires_at = authenticate_session.expires_at
    where s.id = authenticate_session.session_id;
  end if;
  return next;
end
$$;

drop function if exists authenticate_kubeconfig_token(bytea);
create function authenticate_kubeconfig_token(hash bytea)
returns table (
  token_id uuid, user_id int, email text, name text, organization_id int, organization_name text,
  cluster_id int, role text, expires_at timestamptz
)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  last_used timestamptz;
begin
  -- The role of today, not that of the download: a demoted or removed member loses what kubectl could do.
  select k.id, k.user_id, u.email, u.name, k.organization_id, o.name, k.cluster_id, m.role, k.expires_at, k.last_used_at
  into token_id, user_id, email, name, organization_id, organization_name, cluster_id, role, expires_at, last_used
  from kubeconfig_tokens k
  join users u on u.id = k.user_id
  join organizations o on o.id = k.organization_id
  join memberships m on m.organization_id = k.organization_id and m.user_id = k.user_id
  where k.token_hash = hash and k.expires_at > now() and k.revoked_at is null;
  if not found then
    return;
  end if;
  if last_used is null or last_used < now() - interval '1 minute' then
    update kubeconfig_tokens k set last_used_at = now() where k.id = authenticate_kubeconfig_token.token_id;
  end if;
  return next;
end
$$;

drop function if exists my_organizations(int);
create function my_organizations(of_user_id int)
returns table (id int, name text, role text, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, o.name, m.role, o.created_at
  from memberships m join organizations o on o.id = m.organization_id
  where m.user_id = of_user_id
  order by o.id
$$;

drop function if exists find_login(text);
create function find_login(login_email text)
returns table (user_id int, password_hash text, active_organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.id, u.password_hash, u.active_organization_id from users u where u.email = lower(login_email)
$$;

revoke all on function
  authenticate_session(bytea, int), authenticate_kubeconfig_token(bytea), my_organizations(int), find_login(text),
  verify_audit(int), audit_hash(audit_entries), audit_append(), audit_refuse()
from public;
grant execute on function
  verify_audit(int), audit_hash(audit_entries),
  authenticate_session(bytea, int), authenticate_kubeconfig_token(bytea), my_organizations(int), find_login(text)
to bey_app;
