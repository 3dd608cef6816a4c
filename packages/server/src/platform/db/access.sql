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
revoke update, delete on usage_events from bey_app;
-- Sums of the ledger are made by the system.
revoke insert, update, delete on usage_hours, usage_days, usage_cost_days, usage_costs, usage_proofs from bey_app;
revoke update, delete on usage_pending from bey_app;
revoke update, delete on price_versions from bey_app;
revoke update, delete on statements, statement_lines from bey_app;
revoke insert, update, delete on audit_heads, audit_links, audit_pending, audit_checkpoints, audit_terms from bey_app;
-- Texts of mails contain links that work once: requests add mails, and the system alone reads them.
revoke select, update, delete on mail_outbox from bey_app;
-- Organizations are made and unmade by the system.
revoke insert, delete on organizations from bey_app;
-- A password hash can be set, never read back: only find_login reads it.
revoke select, insert, delete on users from bey_app;
grant select (id, email, name, active_organization_id, created_at, updated_at) on users to bey_app;

-- 2. The audit chain. An entry is hashed when it is inserted and linked shortly after its commit (`link_audit`), so that
-- no writer waits for another one's transaction.
do $do$
declare
  -- What an entry's hash covers, for both functions: one that called the other would slow verification down.
  covered text := $sql$(jsonb_build_array(
    encode(e.prev_hash, 'hex'), e.organization_id, e.seq, e.id,
    (extract(epoch from e.at) * 1000)::bigint,
    e.actor_type, e.actor_id, e.actor_display, e.via, e.action, e.class,
    e.target_type, e.target_id, e.target_name, e.outcome,
    e.ip, e.user_agent, e.request_id, e.run_id, e.diff
  ) || case when e.intent_id is null then '[]'::jsonb else jsonb_build_array(e.intent_id) end
    || case when e.grounds is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('grounds', e.grounds)) end
    || case when e.actor_email is null then '[]'::jsonb
       else jsonb_build_array(jsonb_build_object('actorEmail', e.actor_email)) end
  )::text$sql$;
  heads text := 'language sql immutable parallel safe set search_path = pg_catalog as %L';
begin
  execute format('create or replace function audit_text(e audit_entries) returns text ' || heads, 'select ' || covered);
  execute format('create or replace function audit_hash(e audit_entries) returns bytea ' || heads,
    'select sha256(convert_to(' || covered || ', ''UTF8''))');
end
$do$;

create or replace function audit_link_hash(l audit_links) returns bytea
language sql immutable parallel safe set search_path = pg_catalog
as $$
  select sha256(convert_to(jsonb_build_array(
    encode(l.prev_hash, 'hex'), l.organization_id, l.position, l.entry_seq, encode(l.entry_hash, 'hex')
  )::text, 'UTF8'))
$$;

create or replace function audit_append() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.seq := nextval('audit_numbers');
  new.prev_hash := ''::bytea;
  new.object_key := case
    when new.target_type = 'cluster' and new.diff ->> 'name' is not null and new.diff ->> 'resource' is not null
    then concat(split_part(new.diff ->> 'resource', '/', 1), '/', new.diff ->> 'namespace', '/', new.diff ->> 'name')
  end;
  new.hash := audit_hash(new);
  insert into audit_pending (organization_id, seq, entry_hash) values (new.organization_id, new.seq, new.hash);
  return new;
end
$$;

-- Links up to `max_entries` of each organization that has some waiting, in the order of their numbers. An organization
-- that another process is linking at this moment is left to it. Returns how many were linked.
create or replace function link_audit(max_entries int) returns int
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  of_organization_id int;
  head audit_heads;
  waiting audit_pending;
  link audit_links;
  seqs bigint[];
  linked int := 0;
begin
  for of_organization_id in select distinct p.organization_id from audit_pending p loop
    insert into audit_heads (organization_id, seq, hash) values (of_organization_id, 0, ''::bytea)
    on conflict (organization_id) do nothing;
    select * into head from audit_heads h where h.organization_id = of_organization_id for update skip locked;
    continue when not found;
    -- The organization was deleted while its deletion was waited for: nothing of it may be left.
    if not exists (select from audit_pending p where p.organization_id = of_organization_id) then
      delete from audit_heads h where h.organization_id = of_organization_id and h.seq = 0;
      continue;
    end if;
    seqs := '{}';
    for waiting in
      select * from audit_pending p
      where p.organization_id = of_organization_id order by p.seq limit max_entries
    loop
      link := row(of_organization_id, head.seq + 1, waiting.seq, waiting.entry_hash, head.hash, ''::bytea);
      link.hash := audit_link_hash(link);
      insert into audit_links select link.*;
      -- One by one: an entry with a smaller number may have become visible meanwhile, and waits for the next time.
      delete from audit_pending p where p.organization_id = of_organization_id and p.seq = waiting.seq;
      head.seq := link.position;
      head.hash := link.hash;
      seqs := seqs || waiting.seq;
      linked := linked + 1;
    end loop;
    insert into audit_terms (organization_id, field, value, id)
    select distinct e.organization_id, t.field, t.value, t.id
    from audit_entries e
    cross join lateral (values
      ('actor', e.actor_display, coalesce(e.actor_id, '')),
      ('actor_email', e.actor_email, coalesce(e.actor_id, '')), ('action', e.action, ''),
      ('target', e.target_name, ''), ('ip', e.ip, '')
    ) t(field, value, id)
    where e.organization_id = of_organization_id and e.seq = any (seqs) and t.value <> ''
      and not exists (select from audit_terms k
        where k.organization_id = e.organization_id and k.field = t.field and k.value = t.value and k.id = t.id)
    on conflict do nothing;
    update audit_heads h set seq = head.seq, hash = head.hash where h.organization_id = of_organization_id;
  end loop;
  return linked;
end
$$;

-- The trail of a demo is seeded, and goes with it.
create or replace function is_demo(of_organization_id int) returns boolean
language sql stable set search_path = public, pg_temp
as $$
  select exists (select from demos d where d.organization_id = of_organization_id)
$$;

create or replace function audit_refuse() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;

-- Entries go only with a signed mark that says so, which verification checks; nothing is ever changed.
create or replace function audit_keep_entry() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and is_demo(old.organization_id) then
    return old;
  end if;
  if tg_op = 'DELETE' and exists (
    select from audit_links l join audit_checkpoints c on c.organization_id = l.organization_id
    where l.organization_id = old.organization_id and l.entry_seq = old.seq
      and c.kind = 'removed' and c.position >= l.position
  ) then
    return old;
  end if;
  raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;

create or replace function audit_keep_link() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and is_demo(old.organization_id) then
    return old;
  end if;
  if tg_op = 'DELETE' and exists (
    select from audit_checkpoints c
    where c.organization_id = old.organization_id and c.kind = 'removed' and c.position >= old.position
  ) then
    return old;
  end if;
  raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;

create or replace function audit_keep_checkpoint() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and is_demo(old.organization_id) then
    return old;
  end if;
  raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;

create or replace function audit_keep_pending() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  if is_demo(old.organization_id) then
    return old;
  end if;
  if not exists (
    select from audit_links l
    where l.organization_id = old.organization_id and l.entry_seq = old.seq and l.entry_hash = old.entry_hash
  ) then
    raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end
$$;

create or replace trigger audit_entries_append before insert on audit_entries
  for each row execute function audit_append();
create or replace trigger audit_entries_keep before update or delete on audit_entries
  for each row execute function audit_keep_entry();
create or replace trigger audit_entries_keep_all before truncate on audit_entries
  for each statement execute function audit_refuse();
create or replace trigger audit_links_keep before update or delete on audit_links
  for each row execute function audit_keep_link();
create or replace trigger audit_links_keep_all before truncate on audit_links
  for each statement execute function audit_refuse();
create or replace trigger audit_checkpoints_keep before update or delete on audit_checkpoints
  for each row execute function audit_keep_checkpoint();
create or replace trigger audit_checkpoints_keep_all before truncate on audit_checkpoints
  for each statement execute function audit_refuse();
create or replace trigger audit_pending_keep before update on audit_pending
  for each row execute function audit_refuse();
create or replace trigger audit_pending_keep_unlinked before delete on audit_pending
  for each row execute function audit_keep_pending();
create or replace trigger audit_pending_keep_all before truncate on audit_pending
  for each statement execute function audit_refuse();

-- The usage ledger and the versions of prices: rows are added, and go
-- with an organization that is being deleted alone.
create or replace function ledger_keep() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and not exists (
    select from organizations o where o.id = old.organization_id and o.deletes_at is null
  ) then
    return old;
  end if;
  -- Of a user who is deleted, the version stays without its author.
  if tg_op = 'UPDATE' and tg_table_name = 'price_versions'
    and to_jsonb(new) - 'created_by' = to_jsonb(old) - 'created_by' and to_jsonb(new) ->> 'created_by' is null then
    return new;
  end if;
  raise exception 'The usage ledger is append-only' using errcode = 'insufficient_privilege';
end
$$;

create or replace function ledger_refuse() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception 'The usage ledger is append-only' using errcode = 'insufficient_privilege';
end
$$;

create or replace trigger usage_events_keep before update or delete on usage_events
  for each row execute function ledger_keep();
create or replace trigger usage_events_keep_all before truncate on usage_events
  for each statement execute function ledger_refuse();
create or replace trigger price_versions_keep before update or delete on price_versions
  for each row execute function ledger_keep();
create or replace trigger price_versions_keep_all before truncate on price_versions
  for each statement execute function ledger_refuse();

-- Statements: frozen months stay as they are, and go with their organization alone. The purge of an organization deletes
-- their rows before its own.
create or replace function statement_keep() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and not exists (
    select from organizations o where o.id = old.organization_id and o.deletes_at is null
  ) then
    return old;
  end if;
  raise exception 'Statements are immutable' using errcode = 'insufficient_privilege';
end
$$;

create or replace function statement_refuse() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception 'Statements are immutable' using errcode = 'insufficient_privilege';
end
$$;

create or replace trigger statements_keep before update or delete on statements
  for each row execute function statement_keep();
create or replace trigger statements_keep_all before truncate on statements
  for each statement execute function statement_refuse();
create or replace trigger statement_lines_keep before update or delete on statement_lines
  for each row execute function statement_keep();
create or replace trigger statement_lines_keep_all before truncate on statement_lines
  for each statement execute function statement_refuse();

-- Runs with the rights of whoever asks, so a member verifies the own organization and nothing else. Looks at the links
-- after `after_position` up to `up_to`; without `up_to` at all that follow, the noted end, and the entries that wait for
-- their link, which come after the last one. `faulty_position` is the place in the chain of the first that does not fit.
-- A chain whose beginning was removed by retention starts from the hash in its signed mark.
drop function if exists verify_audit(int);
drop function if exists verify_audit(int, bigint, bigint);
create function verify_audit(of_organization_id int, after_position bigint default 0, up_to bigint default null)
returns table (entries bigint, faulty_position bigint, problem text)
language sql stable set search_path = public, pg_temp
as $$
  with start as (
    select greatest(after_position, coalesce(max(c.position), 0)) as position
    from audit_checkpoints c where c.organization_id = of_organization_id and c.kind = 'removed'
  ), origin as (
    select s.position, coalesce(l.hash, m.hash) as hash, l.entry_hash
    from start s
    left join audit_links l on l.organization_id = of_organization_id and l.position = s.position
    left join audit_checkpoints m
      on m.organization_id = of_organization_id and m.kind = 'removed' and m.position = s.position
  ), chain as (
    select l.position, l.entry_hash, l.prev_hash, l.hash, audit_link_hash(l) as computed,
           o.position + row_number() over w as expected_position,
           coalesce(lag(l.hash) over w, o.hash) as previous,
           coalesce(lag(l.entry_hash) over w, o.entry_hash) as previous_entry,
           e.seq as entry_seq, e.hash as stored, audit_hash(e) as actual, e.prev_hash as chained_to
    from origin o
    join audit_links l on l.organization_id = of_organization_id and l.position > o.position
      and (up_to is null or l.position <= up_to)
    left join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq
    window w as (order by l.position)
  ), head as (
    select coalesce(max(h.seq), 0) as seq, coalesce((array_agg(h.hash))[1], ''::bytea) as hash
    from audit_heads h where h.organization_id = of_organization_id
  ), tail as (
    select coalesce(max(c.position), (select o.position from origin o)) as position, count(*) as length from chain c
  ), waiting as (
    select row_number() over (order by p.seq) as place, p.entry_hash, e.seq as entry_seq, e.hash as stored,
           audit_hash(e) as actual
    from audit_pending p
    left join audit_entries e on e.organization_id = p.organization_id and e.seq = p.seq
    where p.organization_id = of_organization_id and up_to is null
  ), faults as (
    select c.expected_position as faulty_position,
           case
             when c.position <> c.expected_position or c.entry_seq is null then 'An entry is missing or was moved'
             when c.entry_hash is distinct from c.stored or c.stored is distinct from c.actual
               then 'It was changed after it was written'
             else 'It does not follow the entry before it'
           end as problem
    from chain c
    where c.position <> c.expected_position
       or c.entry_seq is null
       or c.entry_hash <> c.stored
       or c.stored <> c.actual
       or c.prev_hash <> c.previous
       or c.hash <> c.computed
       -- Entries from before there were links name the hash of the one before them.
       or (c.chained_to <> ''::bytea and c.chained_to is distinct from c.previous_entry)
    union all
    select o.position + t.length + 1, 'An entry is missing or was moved'
    from origin o cross join tail t where t.length < up_to - o.position
    union all
    -- Such entries ended in the hash from which the first link starts.
    select m.position + 1, 'Entries were cut off the end of the former chain'
    from origin o
    join audit_links f on f.organization_id = of_organization_id and f.position = 1 and f.prev_hash <> ''::bytea
    cross join lateral (
      select l.position, l.entry_hash
      from audit_links l
      left join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq
      where l.organization_id = of_organization_id and (l.position = 1 or e.prev_hash <> ''::bytea)
      order by l.position desc limit 1
    ) m
    where o.position = 0 and f.prev_hash <> m.entry_hash
    union all
    select least(h.seq, t.position) + 1, 'Entries were cut off the end or added past the chain'
    from head h cross join tail t left join audit_links l on l.organization_id = of_organization_id and l.position = t.position
    where up_to is null and (h.seq <> t.position or h.hash <> coalesce(l.hash, h.hash))
    union all
    select t.position + w.place,
           case when w.entry_seq is null then 'An entry is missing or was moved'
                else 'It was changed after it was written' end
    from waiting w cross join tail t
    where w.entry_seq is null or w.entry_hash <> w.stored or w.stored <> w.actual
    union all
    select t.position + 1, 'An entry was added past the chain'
    from audit_entries e cross join tail t
    where up_to is null and e.organization_id = of_organization_id
      and not exists (select from audit_links l where l.organization_id = e.organization_id and l.entry_seq = e.seq)
      and not exists (select from audit_pending p where p.organization_id = e.organization_id and p.seq = e.seq)
  )
  select (select t.length from tail t) + (select count(*) from waiting), f.faulty_position, f.problem
  from (select 1) one left join (select * from faults order by faulty_position limit 1) f on true
$$;

-- 3. What must be read before a tenant is known.
-- Whether a user has something beside a password to prove who they are: an authenticator app or a passkey.
create or replace function has_second_factor(of_user_id int) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from user_totp t where t.user_id = of_user_id and t.confirmed_at is not null)
      or exists (select from passkeys p where p.user_id = of_user_id)
$$;

-- Whom an organization lets in, from where, and whether this user lacks what it asks for; null where it restricts nobody.
-- `of_user_id` is null for what acts for the organization itself.
drop function if exists organization_restrictions(int);
create or replace function organization_restrictions(of_organization_id int, of_user_id int) returns jsonb
language sql stable security definer set search_path = public, pg_temp
as $$
  select jsonb_build_object(
    'domains', p.allowed_domains, 'networks', p.allowed_networks, 'allowsPassword', p.allows_password,
    'lacksSecondFactor', of_user_id is not null and coalesce(p.two_factor_from <= now(), false)
      and not has_second_factor(of_user_id)
  )
  from organization_policies p
  where p.organization_id = of_organization_id
    and (p.allowed_domains <> '{}' or p.allowed_networks <> '{}' or not p.allows_password
      or p.two_factor_from <= now())
$$;

-- `counts_as_use`: whether a person or program uses the session now. A check for an open connection, or a request that an
-- unattended page makes by itself, is no use.
drop function if exists authenticate_session(bytea, int);
drop function if exists authenticate_session(bytea, int, boolean);
create function authenticate_session(
  hash bytea, requested_organization_id int, counts_as_use boolean default true
)
returns table (
  session_id uuid, user_id int, email text, name text, active_organization_id int,
  organization_id int, organization_name text, organization_deletes_at timestamptz, role text,
  expires_at timestamptz, impersonator_name text, impersonator_id int, impersonator_email text,
  confirmed_at timestamptz, method text,
  policies jsonb
)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  last_used timestamptz;
  began timestamptz;
  life interval;
  idle interval;
begin
  select s.id, s.user_id, u.email, u.name, u.active_organization_id, s.expires_at, s.last_used_at,
         s.impersonator_name, s.impersonator_id, (select i.email from users i where i.id = s.impersonator_id),
         s.confirmed_at, s.method, s.created_at
  into session_id, user_id, email, name, active_organization_id, expires_at, last_used,
       impersonator_name, impersonator_id, impersonator_email, confirmed_at, method, began
  from sessions s join users u on u.id = s.user_id
  where s.token_hash = hash and s.expires_at > now();
  if not found then
    return;
  end if;
  -- The strictest of the user's organizations: a session is one, whichever of them it works in.
  select make_interval(hours => min(p.session_life_hours)), make_interval(mins => min(p.session_idle_minutes))
  into life, idle
  from memberships m join organization_policies p on p.organization_id = m.organization_id
  where m.user_id = authenticate_session.user_id;
  -- The last use is written at most once a minute, so it may be a minute later than stored.
  if began < now() - life or last_used < now() - idle - interval '1 minute' then
    return;
  end if;
  select m.organization_id, o.name, o.deletes_at, m.role
  into organization_id, organization_name, organization_deletes_at, role
  from memberships m join organizations o on o.id = m.organization_id
  where m.user_id = authenticate_session.user_id
    and (requested_organization_id is null or m.organization_id = requested_organization_id)
  order by (m.organization_id = authenticate_session.active_organization_id) desc nulls last, m.organization_id
  limit 1;
  policies := organization_restrictions(organization_id, user_id);
  -- The expiry slides at most once an hour: it is indexed, and a row whose indexed columns stay is cheap to update. An
  -- impersonated session ends when it was said to.
  if counts_as_use and last_used < now() - interval '1 minute' and impersonator_name is null then
    if expires_at < now() + interval '30 days' - interval '1 hour' then
      expires_at := now() + interval '30 days';
    end if;
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
  cluster_id int, role text, expires_at timestamptz, policies jsonb
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
  policies := organization_restrictions(organization_id, user_id);
  return next;
end
$$;

-- An organization's key keeps the role that it was made with; a personal one has what its owner's is today.
drop function if exists authenticate_api_key(bytea);
create function authenticate_api_key(hash bytea)
returns table (
  key_id uuid, secret_id uuid, name text, is_personal boolean, user_id int, email text, user_name text,
  organization_id int, organization_name text, role text, permissions text[], resources jsonb,
  allowed_addresses text[], policies jsonb, requests_per_minute int, expires_at timestamptz,
  organization_deletes_at timestamptz
)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query
  select k.id, s.id, k.name, k.owner_id is not null, u.id, u.email, u.name, k.organization_id, o.name,
         case when k.owner_id is null then k.role else m.role end, k.permissions, k.resources, k.allowed_addresses,
         organization_restrictions(k.organization_id, k.owner_id),
         k.requests_per_minute, least(k.expires_at, s.valid_until)::timestamptz, o.deletes_at
  from api_key_secrets s
  join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
  join organizations o on o.id = k.organization_id
  join users u on u.id = coalesce(k.owner_id, k.made_by)
  left join memberships m on m.organization_id = k.organization_id and m.user_id = k.owner_id
  where s.token_hash = hash and k.revoked_at is null
    and (s.valid_until is null or s.valid_until > now())
    and (k.expires_at is null or k.expires_at > now())
    and (k.owner_id is null or m.role is not null);
end
$$;

-- When and from where keys were used last; what another process knows to be later stays.
drop function if exists record_api_key_uses(uuid[], timestamptz[], text[]);
create function record_api_key_uses(ids uuid[], ats timestamptz[], ips text[]) returns void
language sql volatile security definer set search_path = public, pg_temp
as $$
  update api_keys k set last_used_at = u.at, last_used_ip = u.ip
  from (select * from unnest(ids, ats, ips) as u(id, at, ip) order by id) u
  where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)
$$;

-- `second_factor_from`: only where the user lacks one. `allows_password`: whether a session that began with one may work there.
drop function if exists my_organizations(int);
create function my_organizations(of_user_id int)
returns table (
  id int, name text, role text, created_at timestamptz, deletes_at timestamptz,
  second_factor_from timestamptz, allows_password boolean, demo_ends_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, o.name, m.role, o.created_at, o.deletes_at,
         case when p.two_factor_from is not null and not has_second_factor(of_user_id) then p.two_factor_from end,
         coalesce(p.allows_password, true), d.ends_at
  from memberships m join organizations o on o.id = m.organization_id
  left join organization_policies p on p.organization_id = o.id
  left join demos d on d.organization_id = o.id
  where m.user_id = of_user_id
  order by o.id
$$;

-- For a token that a cluster issued itself: who may use it, the cluster says afterwards.
drop function if exists find_cluster_organization(int);
create function find_cluster_organization(of_cluster_id int)
returns table (organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.organization_id from clusters c where c.id = of_cluster_id and c.deleted_at is null
$$;

-- For whoever brings a link that gives a value once.
drop function if exists find_share_organization(uuid);
create function find_share_organization(of_share_id uuid)
returns table (organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.organization_id from secret_shares s where s.id = of_share_id and s.ciphertext is not null
$$;

-- For whoever brings a link to an issue of a report.
drop function if exists find_report_link_organization(bytea);
create function find_report_link_organization(hash bytea)
returns table (organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select l.organization_id from report_links l
  where l.token_hash = hash and l.revoked_at is null and l.expires_at > now()
$$;

-- For the sender of a webhook of a workflow.
drop function if exists find_trigger_organization(uuid);
create function find_trigger_organization(of_trigger_id uuid)
returns table (organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select t.organization_id from workflow_triggers t where t.id = of_trigger_id and t.type = 'webhook'
$$;

-- For a browser that cannot send its session's token. A ticket for a stream is used up, whatever becomes of it.
drop function if exists use_access_ticket(bytea, text);
create function use_access_ticket(hash bytea, of_kind text)
returns table (token_hash bytea, organization_id int, cluster_id int, path text)
language sql volatile security definer set search_path = public, pg_temp
as $$
  with spent as (
    delete from access_tickets t where t.ticket_hash = hash and t.kind = 'stream' and of_kind = 'stream'
    returning t.session_id, t.organization_id, t.cluster_id, t.path, t.expires_at
  ), found as (
    select * from spent
    union all
    select t.session_id, t.organization_id, t.cluster_id, t.path, t.expires_at
    from access_tickets t where t.ticket_hash = hash and t.kind = of_kind and of_kind <> 'stream'
  )
  select s.token_hash, f.organization_id, f.cluster_id, f.path
  from found f join sessions s on s.id = f.session_id
  where f.expires_at > now()
$$;

-- For whoever brings the link of an invitation.
drop function if exists find_invitation(bytea);
create function find_invitation(hash bytea)
returns table (invitation_id uuid, organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.id, i.organization_id from invitations i where i.token_hash = hash
$$;

-- What became of mails; their recipients and texts are not told. The ids are known only to whoever queued them.
drop function if exists mail_outcomes(uuid[]);
create function mail_outcomes(ids uuid[])
returns table (id uuid, outcome text, last_error text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.id, m.outcome, m.last_error from mail_outbox m where m.id = any (ids)
$$;

revoke all on function find_invitation(bytea), mail_outcomes(uuid[]) from public;
grant execute on function find_invitation(bytea), mail_outcomes(uuid[]) to bey_app;

drop function if exists find_login(text);
create function find_login(login_email text)
returns table (user_id int, password_hash text, active_organization_id int)
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.id, u.password_hash, u.active_organization_id from users u where u.email = lower(login_email)
$$;

-- How these members of the current organization prove who they are beside their password; who does not is not listed.
drop function if exists second_factors_of_members();
drop function if exists second_factors_of_members(int[]);
create function second_factors_of_members(ids int[])
returns table (user_id int, second_factor text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.user_id, case when t.user_id is null then 'passkey' else 'code' end
  from memberships m
  left join user_totp t on t.user_id = m.user_id and t.confirmed_at is not null
  where m.organization_id = nullif(current_setting('bey.organization_id', true), '')::int
    and m.user_id = any (ids)
    and (t.user_id is not null or exists (select from passkeys p where p.user_id = m.user_id))
$$;
revoke all on function second_factors_of_members(int[]) from public;
grant execute on function second_factors_of_members(int[]) to bey_app;

-- When these members of the current organization last used a session of their own. Nothing else of a session is told.
drop function if exists last_seen_of_members();
drop function if exists last_seen_of_members(int[]);
create function last_seen_of_members(ids int[])
returns table (user_id int, last_seen_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  -- Each person's sessions by their index: of a large organization all would be read otherwise.
  select m.user_id, seen.at
  from memberships m
  cross join lateral (
    select max(s.last_used_at) as at from sessions s where s.user_id = m.user_id and s.impersonator_id is null
  ) seen
  where m.organization_id = nullif(current_setting('bey.organization_id', true), '')::int
    and m.user_id = any (ids) and seen.at is not null
$$;

-- 4. The events of a run, where DBOS records the steps of its workflow (`platform/engine/journal.ts`). The application role
-- may not read that schema; `of_owner` is the token of one execution, which nobody else knows and a hand-over changes.
create or replace function run_events(of_run_id text, of_owner text)
returns table ("position" int, event jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- Earlier versions let DBOS write them, which adds a mark of its own.
  select o.function_id, case when o.serialization = 'js_superjson' then o.output::jsonb -> 'json' else o.output::jsonb end
  from dbos.operation_outputs o join dbos.workflow_status w on w.workflow_uuid = o.workflow_uuid
  where o.workflow_uuid = of_run_id and w.owner_xid = of_owner
  order by o.function_id;
end
$$;

-- Records an event in the caller's transaction, which holds the lock of the run's row. Returns the event that is recorded at
-- this position: an earlier one where a commit succeeded without its confirmation. Fails with BEY01 where the execution does
-- not own the run any more.
create or replace function record_run_event(
  of_run_id text, of_owner text, at_position int, of_name text, of_event text, of_application text
) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  recorded text;
begin
  -- `coalesce` hides the condition from a partial index of DBOS, which lists all runs under way: until the table has
  -- statistics, PostgreSQL would walk it instead of the primary key, for each event past every run that waits.
  insert into dbos.operation_outputs (workflow_uuid, function_id, function_name, output, serialization,
    application_name, started_at_epoch_ms, completed_at_epoch_ms, retention_timestamp)
  select w.workflow_uuid, at_position, of_name, of_event, 'portable_json', of_application, now_ms, now_ms, now_ms
  from dbos.workflow_status w
  where w.workflow_uuid = of_run_id and w.owner_xid = of_owner and coalesce(w.status, '') = 'PENDING'
  on conflict (workflow_uuid, function_id) do nothing
  returning output into recorded;
  if found then
    return recorded::jsonb;
  end if;
  select e.event::text into recorded from public.run_events(of_run_id, of_owner) e where e.position = at_position;
  if not found then
    raise exception 'The run % is executed elsewhere', of_run_id using errcode = 'BEY01';
  end if;
  return recorded::jsonb;
end
$$;

revoke all on function
  run_events(text, text), record_run_event(text, text, int, text, text, text), organization_restrictions(int, int), has_second_factor(int),
  last_seen_of_members(int[]), authenticate_session(bytea, int, boolean), authenticate_kubeconfig_token(bytea), authenticate_api_key(bytea),
  record_api_key_uses(uuid[], timestamptz[], text[]), my_organizations(int), find_login(text),
  find_cluster_organization(int), find_share_organization(uuid), find_report_link_organization(bytea), find_trigger_organization(uuid), use_access_ticket(bytea, text), verify_audit(int, bigint, bigint), audit_hash(audit_entries), audit_text(audit_entries), audit_link_hash(audit_links), audit_append(), audit_refuse(),
  is_demo(int), audit_keep_pending(), audit_keep_entry(), audit_keep_link(), audit_keep_checkpoint(), link_audit(int), ledger_keep(), ledger_refuse(), statement_keep(), statement_refuse()
from public;
grant execute on function
  run_events(text, text), record_run_event(text, text, int, text, text, text), verify_audit(int, bigint, bigint), audit_hash(audit_entries), audit_text(audit_entries), audit_link_hash(audit_links),
  authenticate_session(bytea, int, boolean), authenticate_kubeconfig_token(bytea), authenticate_api_key(bytea),
  record_api_key_uses(uuid[], timestamptz[], text[]), my_organizations(int), find_login(text),
  find_cluster_organization(int), find_share_organization(uuid), find_report_link_organization(bytea), find_trigger_organization(uuid), use_access_ticket(bytea, text), last_seen_of_members(int[])
to bey_app;
