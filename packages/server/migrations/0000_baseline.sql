-- Points of metrics are kept by time: the server makes partitions ahead and drops those that have run out, in a schema
-- that the application role cannot see. It reaches them through their parents, where the policies are.
CREATE SCHEMA "metric_partitions";
--> statement-breakpoint
CREATE SEQUENCE "public"."audit_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "access_tickets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ticket_hash" "bytea" NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "access_tickets_ticket_hash_key" UNIQUE("ticket_hash"),
	CONSTRAINT "access_tickets_kind_known" CHECK ("access_tickets"."kind" in ('stream', 'service'))
);
--> statement-breakpoint
ALTER TABLE "access_tickets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "annotation_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"annotation_id" uuid NOT NULL,
	"user_id" integer,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "annotation_replies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "annotations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"user_id" integer,
	"component_name" text NOT NULL,
	"xpath" text NOT NULL,
	"selected_text" text,
	"annotation_text" text NOT NULL,
	"url" text NOT NULL,
	"viewport" jsonb NOT NULL,
	"element_rect" jsonb NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" integer,
	"reply_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "annotations_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "annotations_status_is_known" CHECK ("annotations"."status" in ('open', 'resolved'))
);
--> statement-breakpoint
ALTER TABLE "annotations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_key_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"key_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"start" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp (3) with time zone,
	CONSTRAINT "api_key_secrets_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "api_key_secrets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"owner_id" integer,
	"made_by" integer NOT NULL,
	"role" text NOT NULL,
	"permissions" text[] NOT NULL,
	"resources" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"allowed_addresses" text[] DEFAULT '{}' NOT NULL,
	"requests_per_minute" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_ip" text,
	CONSTRAINT "api_keys_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "api_keys_role_is_known" CHECK ("api_keys"."role" in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_heads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_links" (
	"organization_id" integer NOT NULL,
	"position" bigint NOT NULL,
	"entry_seq" bigint NOT NULL,
	"entry_hash" "bytea" NOT NULL,
	"prev_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_links_organization_id_position_pk" PRIMARY KEY("organization_id","position"),
	CONSTRAINT "audit_links_entry_key" UNIQUE("organization_id","entry_seq")
);
--> statement-breakpoint
ALTER TABLE "audit_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_pending" (
	"organization_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"entry_hash" "bytea" NOT NULL,
	CONSTRAINT "audit_pending_organization_id_seq_pk" PRIMARY KEY("organization_id","seq")
);
--> statement-breakpoint
ALTER TABLE "audit_pending" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"organization_id" integer NOT NULL,
	"kind" text NOT NULL,
	"position" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"hash" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"signature" "bytea" NOT NULL,
	CONSTRAINT "audit_checkpoints_organization_id_kind_position_pk" PRIMARY KEY("organization_id","kind","position")
);
--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"organization_id" integer NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"actor_display" text DEFAULT '' NOT NULL,
	"via" text NOT NULL,
	"action" text NOT NULL,
	"class" text NOT NULL,
	"target_type" text,
	"target_id" text,
	"target_name" text,
	"outcome" text DEFAULT 'success' NOT NULL,
	"intent_id" uuid,
	"ip" text,
	"user_agent" text,
	"request_id" text,
	"run_id" uuid,
	"diff" jsonb,
	"grounds" jsonb,
	"object_key" text,
	"prev_hash" "bytea" DEFAULT ''::bytea NOT NULL,
	"hash" "bytea" DEFAULT ''::bytea NOT NULL,
	CONSTRAINT "audit_entries_organization_id_seq_pk" PRIMARY KEY("organization_id","seq"),
	CONSTRAINT "audit_entries_id_key" UNIQUE("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_streams" (
	"organization_id" integer NOT NULL,
	"webhook_id" uuid NOT NULL,
	"classes" text[] NOT NULL,
	"position" bigint NOT NULL,
	"delivery_id" uuid,
	"delivery_through" bigint,
	CONSTRAINT "audit_streams_organization_id_webhook_id_pk" PRIMARY KEY("organization_id","webhook_id")
);
--> statement-breakpoint
ALTER TABLE "audit_streams" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_terms" (
	"organization_id" integer NOT NULL,
	"field" text NOT NULL,
	"value" text NOT NULL,
	"id" text DEFAULT '' NOT NULL,
	CONSTRAINT "audit_terms_organization_id_field_value_id_pk" PRIMARY KEY("organization_id","field","value","id")
);
--> statement-breakpoint
ALTER TABLE "audit_terms" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_verifications" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"heartbeat_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"checked" bigint DEFAULT 0 NOT NULL,
	"total" bigint DEFAULT 0 NOT NULL,
	"duration_ms" integer DEFAULT 0 NOT NULL,
	"faulty_position" bigint,
	"problem" text,
	"checkpoint_at" timestamp (3) with time zone,
	"checkpoint_key_id" text,
	"notified_position" bigint
);
--> statement-breakpoint
ALTER TABLE "audit_verifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cluster_connections" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"url" text,
	"ca_pem" text,
	"token_sealed" "bytea",
	"credentials_sealed" "bytea",
	"imported" jsonb,
	"server_key" text,
	"test" jsonb,
	"machine_id" text,
	"dir" text,
	"port" integer,
	"pid" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cluster_connections" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cluster_health" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"state" text DEFAULT 'starting' NOT NULL,
	"reason" text,
	"detail" text,
	"since" timestamp (3) with time zone,
	"object" jsonb,
	"overview" jsonb,
	"announced" text,
	"observer" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cluster_health_state_is_known" CHECK ("cluster_health"."state" in ('failing', 'degraded', 'unknown', 'starting', 'healthy'))
);
--> statement-breakpoint
ALTER TABLE "cluster_health" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cluster_lists" (
	"organization_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"key" text NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "cluster_lists_organization_id_cluster_id_key_pk" PRIMARY KEY("organization_id","cluster_id","key")
);
--> statement-breakpoint
ALTER TABLE "cluster_lists" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "clusters" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clusters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"organization_id" integer NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"pending_operations" integer DEFAULT 0 NOT NULL,
	"provider" text NOT NULL,
	"region" text,
	"version" text,
	"node_groups" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"reachability" text DEFAULT 'unknown' NOT NULL,
	"reachability_since" timestamp (3) with time zone,
	"reachability_reason" text,
	"restarted_at" timestamp (3) with time zone,
	"restart_reason" text,
	"last_run_id" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"row_version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "clusters_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "clusters_pending_operations_is_not_negative" CHECK ("clusters"."pending_operations" >= 0),
	CONSTRAINT "clusters_reachability_is_known" CHECK ("clusters"."reachability" in ('unknown', 'reachable', 'unreachable'))
);
--> statement-breakpoint
ALTER TABLE "clusters" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"message" text NOT NULL,
	"culprit" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"occurrence_count" integer DEFAULT 0 NOT NULL,
	"user_count" integer DEFAULT 0 NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"first_release" text NOT NULL,
	"last_release" text NOT NULL,
	"regressed_at" timestamp (3) with time zone,
	"status_changed_at" timestamp (3) with time zone,
	"status_changed_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "error_groups_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "error_groups_fingerprint_key" UNIQUE("organization_id","fingerprint"),
	CONSTRAINT "error_groups_status_is_known" CHECK ("error_groups"."status" in ('open', 'resolved', 'ignored'))
);
--> statement-breakpoint
ALTER TABLE "error_groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_hours" (
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"occurrence_count" integer NOT NULL,
	CONSTRAINT "error_hours_group_id_hour_pk" PRIMARY KEY("group_id","hour")
);
--> statement-breakpoint
ALTER TABLE "error_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_releases" (
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"release" text NOT NULL,
	"occurrence_count" integer NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "error_releases_group_id_release_pk" PRIMARY KEY("group_id","release")
);
--> statement-breakpoint
ALTER TABLE "error_releases" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_users" (
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "error_users_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "error_users" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_occurrences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" integer,
	"at" timestamp (3) with time zone NOT NULL,
	"reported_at" timestamp (3) with time zone NOT NULL,
	"release" text NOT NULL,
	"repeats" integer DEFAULT 1 NOT NULL,
	"message" text NOT NULL,
	"stack" text NOT NULL,
	"component_stack" text NOT NULL,
	"source" text NOT NULL,
	"line" integer,
	"column" integer,
	"user_agent" text NOT NULL,
	"url" text NOT NULL,
	"session_id" text NOT NULL,
	"error_boundary" text NOT NULL,
	"error_boundary_stack" text NOT NULL,
	"additional_context" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "error_occurrences" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer DEFAULT 0 NOT NULL,
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"endpoint" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"status_code" integer,
	"response" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_key_key" UNIQUE("organization_id","user_id","endpoint","key")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "instance_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"secret" "bytea",
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "instance_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"invited_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"mail_id" uuid,
	"ended_at" timestamp (3) with time zone,
	"accepted_by" integer,
	CONSTRAINT "invitations_token_hash_key" UNIQUE("token_hash"),
	CONSTRAINT "invitations_email_is_lower_case" CHECK ("invitations"."email" = lower("invitations"."email")),
	CONSTRAINT "invitations_role_is_known" CHECK ("invitations"."role" in ('ADMIN', 'MEMBER', 'VIEWER')),
	CONSTRAINT "invitations_status_is_known" CHECK ("invitations"."status" in ('pending', 'accepted', 'rejected', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "invitations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kubeconfig_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "kubeconfig_tokens_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "kubeconfig_tokens" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "linked_accounts" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" integer NOT NULL,
	"provider" text NOT NULL,
	"display" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "linked_accounts_issuer_subject_pk" PRIMARY KEY("issuer","subject"),
	CONSTRAINT "linked_accounts_user_id_provider_key" UNIQUE("user_id","provider")
);
--> statement-breakpoint
ALTER TABLE "linked_accounts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "mail_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"without_smtp" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"last_error" text
);
--> statement-breakpoint
ALTER TABLE "mail_outbox" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "memberships" (
	"organization_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" text NOT NULL,
	"origin" text DEFAULT 'founder' NOT NULL,
	"invited_by" integer,
	"provider" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id"),
	CONSTRAINT "memberships_role_is_known" CHECK ("memberships"."role" in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
	CONSTRAINT "memberships_origin_is_known" CHECK ("memberships"."origin" in ('founder', 'invitation', 'provider'))
);
--> statement-breakpoint
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_hours" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"averages" real[] NOT NULL,
	"maxima" real[] NOT NULL,
	CONSTRAINT "metric_hours_pk" PRIMARY KEY("organization_id","block","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "metric_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_minutes" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"averages" real[] NOT NULL,
	"maxima" real[] NOT NULL,
	CONSTRAINT "metric_minutes_pk" PRIMARY KEY("organization_id","block","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "metric_minutes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_pending" (
	"organization_id" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metric_pending_pk" PRIMARY KEY("organization_id","step","at")
);
--> statement-breakpoint
ALTER TABLE "metric_pending" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_samples" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"readings" real[] NOT NULL,
	CONSTRAINT "metric_samples_pk" PRIMARY KEY("organization_id","block","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "metric_samples" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_quotas" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"last_block" integer DEFAULT 0 NOT NULL,
	"refused_at" timestamp (3) with time zone,
	"refused_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "metric_quotas" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_series" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"slot" smallint NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"metric" text NOT NULL,
	"labels" jsonb NOT NULL,
	"span" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metric_series_pk" PRIMARY KEY("organization_id","block","slot"),
	CONSTRAINT "metric_series_span_is_known" CHECK ("metric_series"."span" in ('days', 'year'))
);
--> statement-breakpoint
ALTER TABLE "metric_series" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notification_channels" (
	"organization_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" integer,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"sealed_url" "bytea" NOT NULL,
	"host" text NOT NULL,
	"last_sent_at" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_channels_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "notification_channels_name_key" UNIQUE NULLS NOT DISTINCT("organization_id","user_id","name")
);
--> statement-breakpoint
ALTER TABLE "notification_channels" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"organization_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid,
	"channel_id" uuid,
	"user_id" integer,
	"event" text NOT NULL,
	"severity" text NOT NULL,
	"title" text NOT NULL,
	"detail" text,
	"href" text,
	"repeat_key" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "notification_deliveries_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notification_rules" (
	"organization_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" integer,
	"name" text NOT NULL,
	"events" text[] NOT NULL,
	"min_severity" text NOT NULL,
	"whose" text NOT NULL,
	"cluster_ids" integer[] DEFAULT '{}'::int[] NOT NULL,
	"workflow_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"in_app" boolean NOT NULL,
	"mail" boolean NOT NULL,
	"channel_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"quiet_from" text,
	"quiet_to" text,
	"time_zone" text NOT NULL,
	"digest" text NOT NULL,
	"muted_until" timestamp (3) with time zone,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_rules_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "notification_rules" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notifications" (
	"organization_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"level" text NOT NULL,
	"title" text NOT NULL,
	"detail" text,
	"request_id" text,
	"href" text,
	"subject_type" text,
	"subject_id" text,
	"subject_name" text,
	"at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "notifications_organization_id_user_id_id_pk" PRIMARY KEY("organization_id","user_id","id"),
	CONSTRAINT "notifications_title_fits" CHECK (coalesce(char_length(title), 0) <= 200),
	CONSTRAINT "notifications_detail_fits" CHECK (coalesce(char_length(detail), 0) <= 1000),
	CONSTRAINT "notifications_request_id_fits" CHECK (coalesce(char_length(request_id), 0) <= 100),
	CONSTRAINT "notifications_href_fits" CHECK (coalesce(char_length(href), 0) <= 300)
);
--> statement-breakpoint
ALTER TABLE "notifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "object_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"resource" text NOT NULL,
	"kind" text NOT NULL,
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"uid" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"change" text NOT NULL,
	"manager" text,
	"hash" text NOT NULL,
	"bytes" integer NOT NULL,
	"object" jsonb,
	CONSTRAINT "object_versions_change_is_known" CHECK ("object_versions"."change" in ('found', 'created', 'updated', 'deleted'))
);
--> statement-breakpoint
ALTER TABLE "object_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "organization_keys" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"wrapped" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organization_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "organization_policies" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"audit_retention_days" integer,
	"two_factor_from" timestamp (3) with time zone,
	"session_life_hours" integer,
	"session_idle_minutes" integer,
	"allowed_domains" text[] DEFAULT '{}'::text[] NOT NULL,
	"allowed_networks" text[] DEFAULT '{}'::text[] NOT NULL,
	"allows_password" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organization_policies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "organizations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"default_role" text DEFAULT 'MEMBER' NOT NULL,
	"deletion_requested_at" timestamp (3) with time zone,
	"deletion_requested_by" integer,
	"deletes_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_default_role_is_known" CHECK ("organizations"."default_role" in ('ADMIN', 'MEMBER', 'VIEWER'))
);
--> statement-breakpoint
ALTER TABLE "organizations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"relying_party" text NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "passkeys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "processes" (
	"executor_id" text PRIMARY KEY NOT NULL,
	"machine_id" text NOT NULL,
	"address" text NOT NULL,
	"role" text DEFAULT 'all' NOT NULL,
	"max_runs" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "processes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_key" UNIQUE("user_id","code_hash")
);
--> statement-breakpoint
ALTER TABLE "recovery_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "approval_decisions" (
	"organization_id" integer NOT NULL,
	"approval_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"decision" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"form" jsonb,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approval_decisions_approval_id_user_id_pk" PRIMARY KEY("approval_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "approval_decisions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "run_approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"step_run_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"question" text NOT NULL,
	"details" text DEFAULT '' NOT NULL,
	"facts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"plan" text DEFAULT '' NOT NULL,
	"form" jsonb,
	"needed_count" integer DEFAULT 1 NOT NULL,
	"approvers" jsonb NOT NULL,
	"on_timeout" text DEFAULT 'reject' NOT NULL,
	"requested_by" integer,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "run_approvals_step_key" UNIQUE("step_run_id"),
	CONSTRAINT "run_approvals_organization_id_id_key" UNIQUE("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "run_approvals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "secret_grants" (
	"organization_id" integer NOT NULL,
	"secret_id" uuid NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"access" text NOT NULL,
	"granted_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_grants_organization_id_secret_id_subject_type_subject_id_pk" PRIMARY KEY("organization_id","secret_id","subject_type","subject_id"),
	CONSTRAINT "secret_grants_subject_type_is_known" CHECK ("secret_grants"."subject_type" in ('role', 'user', 'api_key')),
	CONSTRAINT "secret_grants_access_is_known" CHECK ("secret_grants"."access" in ('use', 'read', 'manage'))
);
--> statement-breakpoint
ALTER TABLE "secret_grants" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "secret_shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"secret_id" uuid,
	"ciphertext" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"opened_ip" text,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "secret_shares_ciphertext_fits" CHECK (coalesce(length("secret_shares"."ciphertext"), 0) <= 140000),
	CONSTRAINT "secret_shares_spent_is_wiped" CHECK (("secret_shares"."opened_at" is null and "secret_shares"."revoked_at" is null) or "secret_shares"."ciphertext" is null)
);
--> statement-breakpoint
ALTER TABLE "secret_shares" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "secret_syncs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"secret_id" uuid NOT NULL,
	"cluster_id" integer NOT NULL,
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"kubernetes_type" text NOT NULL,
	"keys" jsonb NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"restarts" boolean DEFAULT false NOT NULL,
	"corrects_drift" boolean DEFAULT false NOT NULL,
	"on_removal" text DEFAULT 'leave' NOT NULL,
	"takes_over" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"removal" text,
	"synced_version" integer,
	"synced_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"restart_version" integer,
	"drift" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"drift_hash" text,
	"accepted_hash" text,
	"puts_right" boolean DEFAULT false NOT NULL,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"claim" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_syncs_target_key" UNIQUE("organization_id","cluster_id","namespace","name"),
	CONSTRAINT "secret_syncs_state_is_known" CHECK ("secret_syncs"."state" in ('pending', 'synced', 'drifted', 'conflict', 'failed', 'removing')),
	CONSTRAINT "secret_syncs_type_is_known" CHECK ("secret_syncs"."kubernetes_type" in ('Opaque', 'kubernetes.io/tls', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/basic-auth', 'kubernetes.io/ssh-auth')),
	CONSTRAINT "secret_syncs_removal_is_known" CHECK (("secret_syncs"."state" = 'removing') = ("secret_syncs"."removal" is not null))
);
--> statement-breakpoint
ALTER TABLE "secret_syncs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "secret_uses" (
	"organization_id" integer NOT NULL,
	"secret_id" uuid NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"use_count" integer DEFAULT 1 NOT NULL,
	"last_version" integer NOT NULL,
	"last_run_id" uuid,
	"first_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_uses_organization_id_secret_id_subject_type_subject_id_pk" PRIMARY KEY("organization_id","secret_id","subject_type","subject_id")
);
--> statement-breakpoint
ALTER TABLE "secret_uses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "secret_versions" (
	"organization_id" integer NOT NULL,
	"secret_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"status" text NOT NULL,
	"sealed" "bytea",
	"value_hash" text,
	"reason" text DEFAULT '' NOT NULL,
	"restored_from" integer,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"live_until" timestamp (3) with time zone,
	CONSTRAINT "secret_versions_organization_id_secret_id_version_pk" PRIMARY KEY("organization_id","secret_id","version"),
	CONSTRAINT "secret_versions_status_is_known" CHECK ("secret_versions"."status" in ('current', 'superseded', 'soft_deleted', 'destroyed')),
	CONSTRAINT "secret_versions_destroyed_has_no_value" CHECK (("secret_versions"."status" = 'destroyed') = ("secret_versions"."sealed" is null))
);
--> statement-breakpoint
ALTER TABLE "secret_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"type" text NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"status_before" text,
	"current_version" integer NOT NULL,
	"last_version" integer NOT NULL,
	"value_hash" text NOT NULL,
	"max_versions" integer NOT NULL,
	"require_cas" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"purge_at" timestamp (3) with time zone,
	"value_changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_read_at" timestamp (3) with time zone,
	"last_read_by" text,
	"last_used_at" timestamp (3) with time zone,
	"rotation" jsonb,
	"next_rotation_at" timestamp (3) with time zone,
	"rotated_at" timestamp (3) with time zone,
	"rotation_failure" text,
	"rotation_failed_at" timestamp (3) with time zone,
	"rotation_attempts" integer DEFAULT 0 NOT NULL,
	"rotation_retry_at" timestamp (3) with time zone,
	"expiry_notice_for" timestamp (3) with time zone,
	"expiry_notice_days" integer,
	"created_by" integer,
	"row_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secrets_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "secrets_status_is_known" CHECK ("secrets"."status" in ('active', 'disabled', 'pending_deletion', 'deleted')),
	CONSTRAINT "secrets_rotation_has_its_time" CHECK (("secrets"."rotation" is null) = ("secrets"."next_rotation_at" is null)),
	CONSTRAINT "secrets_failed_rotation_is_tried_again" CHECK (("secrets"."rotation_failure" is null) = ("secrets"."rotation_retry_at" is null)
        and ("secrets"."rotation_failure" is null) = ("secrets"."rotation_failed_at" is null)),
	CONSTRAINT "secrets_type_is_known" CHECK ("secrets"."type" in ('opaque', 'password', 'api_key', 'certificate', 'ssh_key', 'registry', 'kubeconfig', 'database'))
);
--> statement-breakpoint
ALTER TABLE "secrets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "server_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"public_pem" text,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "server_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip" text,
	"user_agent" text,
	"method" text DEFAULT 'password' NOT NULL,
	"confirmed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"impersonator_name" text,
	"impersonator_id" integer,
	"impersonator_session_id" uuid,
	CONSTRAINT "sessions_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sign_in_tickets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_id" integer,
	"data" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_tickets_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "sign_in_tickets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "step_attempts" (
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"step_run_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"status" text NOT NULL,
	"executor_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"error" jsonb,
	CONSTRAINT "step_attempts_step_run_id_attempt_pk" PRIMARY KEY("step_run_id","attempt")
);
--> statement-breakpoint
ALTER TABLE "step_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "step_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "step_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"step_run_id" uuid NOT NULL,
	"event" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "step_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "step_logs" (
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"step_run_id" uuid NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"level" text DEFAULT 'info' NOT NULL,
	"stream" text DEFAULT 'system' NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "step_logs_run_id_seq_pk" PRIMARY KEY("run_id","seq")
);
--> statement-breakpoint
ALTER TABLE "step_logs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "step_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"position" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"guarantee" text DEFAULT 'at_least_once' NOT NULL,
	"needs" text[] DEFAULT '{}'::text[] NOT NULL,
	"parent_key" text,
	"iteration" integer,
	"note" text DEFAULT '' NOT NULL,
	"concurrency_key" text,
	"waits_for" text,
	"next_at" timestamp (3) with time zone,
	"input" jsonb,
	"output" jsonb,
	"error" jsonb,
	"progress_percent" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "step_runs_run_id_id_key" UNIQUE("organization_id","run_id","id"),
	CONSTRAINT "step_runs_key_key" UNIQUE("run_id","key")
);
--> statement-breakpoint
ALTER TABLE "step_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "trigger_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"trigger_id" uuid NOT NULL,
	"key" text,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"run_id" uuid,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trigger_events_key" UNIQUE("trigger_id","key")
);
--> statement-breakpoint
ALTER TABLE "trigger_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "user_settings" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"theme" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"time" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "user_totp" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user_totp" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"active_organization_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_key" UNIQUE("email"),
	CONSTRAINT "users_email_is_lower_case" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status_code" integer,
	"error" text,
	"request_headers" json NOT NULL,
	"response_headers" json NOT NULL,
	"response_head" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"payload" text NOT NULL,
	"order_key" text DEFAULT '' NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_number" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"last_status_code" integer,
	"last_error" text,
	"last_duration_ms" integer,
	CONSTRAINT "webhook_deliveries_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "webhook_deliveries_status_known" CHECK ("webhook_deliveries"."status" in ('pending', 'sending', 'retrying', 'delivered', 'exhausted', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"webhook_id" uuid NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "webhook_secrets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"header_names" text[] DEFAULT '{}' NOT NULL,
	"headers_sealed" "bytea",
	"is_ordered" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'enabled' NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"disabled_reason" text,
	"last_attempt_at" timestamp (3) with time zone,
	"last_status_code" integer,
	"last_succeeded" boolean,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "webhooks_status_known" CHECK ("webhooks"."status" in ('enabled', 'paused', 'auto_disabled'))
);
--> statement-breakpoint
ALTER TABLE "webhooks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"workflow_id" uuid NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"input" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"output" jsonb,
	"error" jsonb,
	"trigger" text DEFAULT 'manual' NOT NULL,
	"subject_type" text,
	"subject_id" text,
	"workflow_version" integer,
	"trigger_id" uuid,
	"trigger_name" text,
	"waiting" jsonb,
	"parent_run_id" uuid,
	"parent_step_key" text,
	"retry_of" uuid,
	"priority" integer DEFAULT 0 NOT NULL,
	"concurrency_key" text,
	"concurrency_max" integer DEFAULT 1 NOT NULL,
	"start_key" text,
	"wake_requested_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"deadline_at" timestamp (3) with time zone,
	"attempt" integer DEFAULT 1 NOT NULL,
	"recovery_count" integer DEFAULT 0 NOT NULL,
	"executor_id" text,
	"log_count" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"cancel_requested_at" timestamp (3) with time zone,
	"cancel_requested_by" integer,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"row_version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "workflow_runs_organization_id_id_key" UNIQUE("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "workflow_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "workflow_triggers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"workflow_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"settings" jsonb NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"secret" "bytea",
	"previous_secret" "bytea",
	"previous_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"last_fired_at" timestamp (3) with time zone,
	"last_run_id" uuid,
	"last_error" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_triggers_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "workflow_triggers_name_key" UNIQUE("workflow_id","name")
);
--> statement-breakpoint
ALTER TABLE "workflow_triggers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"organization_id" integer NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"definition" json NOT NULL,
	"checksum" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_versions_workflow_id_version_pk" PRIMARY KEY("workflow_id","version")
);
--> statement-breakpoint
ALTER TABLE "workflow_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"type" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"built_in" text,
	"definition" json,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"current_version" integer DEFAULT 1 NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflows_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "workflows_name_key" UNIQUE("organization_id","name")
);
--> statement-breakpoint
ALTER TABLE "workflows" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "access_tickets" ADD CONSTRAINT "access_tickets_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tickets" ADD CONSTRAINT "access_tickets_organization_id_cluster_id_clusters_organization_id_id_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotation_replies" ADD CONSTRAINT "annotation_replies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotation_replies" ADD CONSTRAINT "annotation_replies_annotation_id_fk" FOREIGN KEY ("organization_id","annotation_id") REFERENCES "public"."annotations"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_owner_id_memberships_organization_id_user_id_fk" FOREIGN KEY ("organization_id","owner_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_streams" ADD CONSTRAINT "audit_streams_webhook_fk" FOREIGN KEY ("organization_id","webhook_id") REFERENCES "public"."webhooks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cluster_connections" ADD CONSTRAINT "cluster_connections_organization_id_cluster_id_clusters_organization_id_id_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cluster_health" ADD CONSTRAINT "cluster_health_cluster_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cluster_lists" ADD CONSTRAINT "cluster_lists_cluster_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clusters" ADD CONSTRAINT "clusters_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clusters" ADD CONSTRAINT "clusters_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_groups" ADD CONSTRAINT "error_groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_groups" ADD CONSTRAINT "error_groups_status_changed_by_users_id_fk" FOREIGN KEY ("status_changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_hours" ADD CONSTRAINT "error_hours_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_releases" ADD CONSTRAINT "error_releases_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_users" ADD CONSTRAINT "error_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_users" ADD CONSTRAINT "error_users_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_occurrences" ADD CONSTRAINT "error_occurrences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_occurrences" ADD CONSTRAINT "error_occurrences_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_users_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kubeconfig_tokens" ADD CONSTRAINT "kubeconfig_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kubeconfig_tokens" ADD CONSTRAINT "kubeconfig_tokens_organization_id_cluster_id_clusters_organization_id_id_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linked_accounts" ADD CONSTRAINT "linked_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_rule_fk" FOREIGN KEY ("organization_id","rule_id") REFERENCES "public"."notification_rules"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."notification_channels"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "object_versions" ADD CONSTRAINT "object_versions_cluster_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_keys" ADD CONSTRAINT "organization_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD CONSTRAINT "organization_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_decisions" ADD CONSTRAINT "approval_decisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_decisions" ADD CONSTRAINT "approval_decisions_approval_fk" FOREIGN KEY ("organization_id","approval_id") REFERENCES "public"."run_approvals"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_approvals" ADD CONSTRAINT "run_approvals_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_approvals" ADD CONSTRAINT "run_approvals_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_grants" ADD CONSTRAINT "secret_grants_granted_by_users_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_grants" ADD CONSTRAINT "secret_grants_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_shares" ADD CONSTRAINT "secret_shares_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_shares" ADD CONSTRAINT "secret_shares_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_shares" ADD CONSTRAINT "secret_shares_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_syncs" ADD CONSTRAINT "secret_syncs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_syncs" ADD CONSTRAINT "secret_syncs_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_syncs" ADD CONSTRAINT "secret_syncs_organization_id_cluster_id_clusters_organization_id_id_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_uses" ADD CONSTRAINT "secret_uses_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_versions" ADD CONSTRAINT "secret_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_versions" ADD CONSTRAINT "secret_versions_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_impersonator_id_users_id_fk" FOREIGN KEY ("impersonator_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_impersonator_session_id_sessions_id_fk" FOREIGN KEY ("impersonator_session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_tickets" ADD CONSTRAINT "sign_in_tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_attempts" ADD CONSTRAINT "step_attempts_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_events" ADD CONSTRAINT "step_events_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_logs" ADD CONSTRAINT "step_logs_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_runs" ADD CONSTRAINT "step_runs_organization_id_run_id_workflow_runs_organization_id_id_fk" FOREIGN KEY ("organization_id","run_id") REFERENCES "public"."workflow_runs"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_events" ADD CONSTRAINT "trigger_events_trigger_fk" FOREIGN KEY ("organization_id","trigger_id") REFERENCES "public"."workflow_triggers"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_settings" ADD CONSTRAINT "user_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_totp" ADD CONSTRAINT "user_totp_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_active_organization_id_organizations_id_fk" FOREIGN KEY ("active_organization_id") REFERENCES "public"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_organization_id_delivery_id_webhook_deliveries_organization_id_id_fk" FOREIGN KEY ("organization_id","delivery_id") REFERENCES "public"."webhook_deliveries"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_webhook_id_webhooks_organization_id_id_fk" FOREIGN KEY ("organization_id","webhook_id") REFERENCES "public"."webhooks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_organization_id_webhook_id_webhooks_organization_id_id_fk" FOREIGN KEY ("organization_id","webhook_id") REFERENCES "public"."webhooks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_cancel_requested_by_users_id_fk" FOREIGN KEY ("cancel_requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_organization_id_workflow_id_workflows_organization_id_id_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_triggers" ADD CONSTRAINT "workflow_triggers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_triggers" ADD CONSTRAINT "workflow_triggers_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tickets_session_id_idx" ON "access_tickets" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "access_tickets_cluster_idx" ON "access_tickets" USING btree ("organization_id","cluster_id");--> statement-breakpoint
CREATE INDEX "access_tickets_expires_at_idx" ON "access_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "annotation_replies_annotation_id_idx" ON "annotation_replies" USING btree ("organization_id","annotation_id","id");--> statement-breakpoint
CREATE INDEX "annotation_replies_user_id_idx" ON "annotation_replies" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "annotations_created_at_idx" ON "annotations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "annotations_updated_at_idx" ON "annotations" USING btree ("organization_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "annotations_component_name_idx" ON "annotations" USING btree ("organization_id","component_name","id");--> statement-breakpoint
CREATE INDEX "annotations_url_idx" ON "annotations" USING btree ("organization_id","url","id");--> statement-breakpoint
CREATE INDEX "annotations_path_idx" ON "annotations" USING btree ("organization_id",split_part("url", '?', 1));--> statement-breakpoint
CREATE INDEX "annotations_user_id_idx" ON "annotations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "annotations_resolved_by_idx" ON "annotations" USING btree ("resolved_by");--> statement-breakpoint
CREATE INDEX "api_key_secrets_key_idx" ON "api_key_secrets" USING btree ("organization_id","key_id");--> statement-breakpoint
CREATE INDEX "api_key_secrets_valid_until_idx" ON "api_key_secrets" USING btree ("valid_until");--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_secrets_present_key" ON "api_key_secrets" USING btree ("key_id") WHERE valid_until is null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_name_key" ON "api_keys" USING btree ("organization_id",coalesce(owner_id, 0),lower(name)) WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_list_idx" ON "api_keys" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_owner_idx" ON "api_keys" USING btree ("organization_id","owner_id");--> statement-breakpoint
CREATE INDEX "api_keys_made_by_idx" ON "api_keys" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_entries_time_idx" ON "audit_entries" USING btree ("organization_id","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_target_time_idx" ON "audit_entries" USING btree ("organization_id","target_type","target_id","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_actor_time_idx" ON "audit_entries" USING btree ("organization_id","actor_id","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_action_time_idx" ON "audit_entries" USING btree ("organization_id","action","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_class_time_idx" ON "audit_entries" USING btree ("organization_id","class","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_ip_time_idx" ON "audit_entries" USING btree ("organization_id","ip","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_name_time_idx" ON "audit_entries" USING btree ("organization_id","target_name","at","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_request_idx" ON "audit_entries" USING btree ("organization_id","request_id");--> statement-breakpoint
CREATE INDEX "audit_entries_outcome_time_idx" ON "audit_entries" USING btree ("organization_id","outcome","at","seq") WHERE outcome <> 'success';--> statement-breakpoint
CREATE INDEX "audit_entries_object_idx" ON "audit_entries" USING btree ("organization_id","target_id","object_key","at","seq") WHERE object_key is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_intent_idx" ON "audit_entries" USING btree ("organization_id","intent_id") WHERE intent_id is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_unknown_idx" ON "audit_entries" USING btree ("organization_id","seq") WHERE outcome = 'unknown';--> statement-breakpoint
CREATE INDEX "cluster_connections_organization_id_idx" ON "cluster_connections" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "cluster_connections_machine_id_idx" ON "cluster_connections" USING btree ("machine_id");--> statement-breakpoint
CREATE INDEX "cluster_connections_server_key_idx" ON "cluster_connections" USING btree ("organization_id","server_key");--> statement-breakpoint
CREATE INDEX "cluster_health_organization_id_idx" ON "cluster_health" USING btree ("organization_id","cluster_id");--> statement-breakpoint
CREATE UNIQUE INDEX "clusters_title_key" ON "clusters" USING btree ("organization_id",lower("title")) WHERE "clusters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "clusters_created_at_idx" ON "clusters" USING btree ("organization_id","created_at","id") WHERE "clusters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "clusters_title_idx" ON "clusters" USING btree ("organization_id","title","id") WHERE "clusters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "clusters_status_idx" ON "clusters" USING btree ("organization_id","status","id") WHERE "clusters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "clusters_deleted_idx" ON "clusters" USING btree ("organization_id","created_at","id") WHERE "clusters"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "clusters_created_by_idx" ON "clusters" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "error_groups_last_seen_at_idx" ON "error_groups" USING btree ("organization_id","last_seen_at","id");--> statement-breakpoint
CREATE INDEX "error_groups_first_seen_at_idx" ON "error_groups" USING btree ("organization_id","first_seen_at","id");--> statement-breakpoint
CREATE INDEX "error_groups_occurrence_count_idx" ON "error_groups" USING btree ("organization_id","occurrence_count","id");--> statement-breakpoint
CREATE INDEX "error_groups_user_count_idx" ON "error_groups" USING btree ("organization_id","user_count","id");--> statement-breakpoint
CREATE INDEX "error_groups_status_changed_by_idx" ON "error_groups" USING btree ("status_changed_by");--> statement-breakpoint
CREATE INDEX "error_hours_hour_idx" ON "error_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "error_releases_release_idx" ON "error_releases" USING btree ("organization_id","release","group_id");--> statement-breakpoint
CREATE INDEX "error_users_user_id_idx" ON "error_users" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "error_occurrences_group_id_idx" ON "error_occurrences" USING btree ("group_id","id");--> statement-breakpoint
CREATE INDEX "error_occurrences_organization_id_idx" ON "error_occurrences" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "error_occurrences_user_id_idx" ON "error_occurrences" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_user_id_idx" ON "idempotency_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending_email_key" ON "invitations" USING btree ("organization_id","email") WHERE "invitations"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "invitations_list_idx" ON "invitations" USING btree ("organization_id","status","sent_at","id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at_idx" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "invitations_invited_by_idx" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "invitations_accepted_by_idx" ON "invitations" USING btree ("accepted_by");--> statement-breakpoint
CREATE INDEX "kubeconfig_tokens_organization_id_idx" ON "kubeconfig_tokens" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "kubeconfig_tokens_user_id_idx" ON "kubeconfig_tokens" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "kubeconfig_tokens_cluster_id_idx" ON "kubeconfig_tokens" USING btree ("cluster_id");--> statement-breakpoint
CREATE INDEX "mail_outbox_due_idx" ON "mail_outbox" USING btree ("next_at") WHERE "mail_outbox"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "mail_outbox_ended_at_idx" ON "mail_outbox" USING btree ("ended_at") WHERE "mail_outbox"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "memberships_user_id_idx" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "memberships_invited_by_idx" ON "memberships" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "metric_minutes_at_idx" ON "metric_minutes" USING btree ("organization_id","at");--> statement-breakpoint
CREATE INDEX "metric_pending_at_idx" ON "metric_pending" USING btree ("at");--> statement-breakpoint
CREATE INDEX "metric_samples_at_idx" ON "metric_samples" USING btree ("organization_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "metric_series_name_idx" ON "metric_series" USING btree ("organization_id","entity_type","entity_id","metric","labels");--> statement-breakpoint
CREATE INDEX "notification_channels_user_idx" ON "notification_channels" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_due_idx" ON "notification_deliveries" USING btree ("due_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_repeat_idx" ON "notification_deliveries" USING btree ("organization_id","rule_id","repeat_key");--> statement-breakpoint
CREATE INDEX "notification_deliveries_channel_idx" ON "notification_deliveries" USING btree ("organization_id","channel_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_user_idx" ON "notification_deliveries" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "notification_rules_user_idx" ON "notification_rules" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "notifications_at_idx" ON "notifications" USING btree ("organization_id","user_id","at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread_idx" ON "notifications" USING btree ("organization_id","user_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_age_idx" ON "notifications" USING btree ("at");--> statement-breakpoint
CREATE INDEX "object_versions_object_idx" ON "object_versions" USING btree ("organization_id","cluster_id","resource","namespace","name","at","id");--> statement-breakpoint
CREATE INDEX "object_versions_at_idx" ON "object_versions" USING btree ("organization_id","cluster_id","at","id");--> statement-breakpoint
CREATE INDEX "organizations_deletes_at_idx" ON "organizations" USING btree ("deletes_at") WHERE "organizations"."deletes_at" is not null;--> statement-breakpoint
CREATE INDEX "passkeys_user_id_idx" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "processes_heartbeat_at_idx" ON "processes" USING btree ("heartbeat_at");--> statement-breakpoint
CREATE INDEX "approval_decisions_organization_idx" ON "approval_decisions" USING btree ("organization_id","approval_id");--> statement-breakpoint
CREATE INDEX "approval_decisions_user_idx" ON "approval_decisions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "run_approvals_run_idx" ON "run_approvals" USING btree ("organization_id","run_id");--> statement-breakpoint
CREATE INDEX "run_approvals_status_idx" ON "run_approvals" USING btree ("organization_id","status","requested_at","id");--> statement-breakpoint
CREATE INDEX "run_approvals_requested_by_idx" ON "run_approvals" USING btree ("requested_by") WHERE "run_approvals"."requested_by" is not null;--> statement-breakpoint
CREATE INDEX "secret_grants_subject_idx" ON "secret_grants" USING btree ("organization_id","subject_type","subject_id");--> statement-breakpoint
CREATE INDEX "secret_grants_granted_by_idx" ON "secret_grants" USING btree ("granted_by");--> statement-breakpoint
CREATE INDEX "secret_shares_list_idx" ON "secret_shares" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "secret_shares_secret_idx" ON "secret_shares" USING btree ("organization_id","secret_id");--> statement-breakpoint
CREATE INDEX "secret_shares_expires_at_idx" ON "secret_shares" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "secret_shares_created_by_idx" ON "secret_shares" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "secret_syncs_secret_idx" ON "secret_syncs" USING btree ("organization_id","secret_id");--> statement-breakpoint
CREATE INDEX "secret_syncs_next_at_idx" ON "secret_syncs" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "secret_syncs_created_by_idx" ON "secret_syncs" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "secret_uses_subject_idx" ON "secret_uses" USING btree ("organization_id","subject_type","subject_id");--> statement-breakpoint
CREATE INDEX "secret_versions_live_until_idx" ON "secret_versions" USING btree ("live_until") WHERE "secret_versions"."live_until" is not null;--> statement-breakpoint
CREATE INDEX "secret_versions_created_by_idx" ON "secret_versions" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "secrets_name_key" ON "secrets" USING btree ("organization_id","name") WHERE "secrets"."status" <> 'deleted';--> statement-breakpoint
CREATE INDEX "secrets_list_name_idx" ON "secrets" USING btree ("organization_id","name","id");--> statement-breakpoint
CREATE INDEX "secrets_type_idx" ON "secrets" USING btree ("organization_id","type","id");--> statement-breakpoint
CREATE INDEX "secrets_value_changed_at_idx" ON "secrets" USING btree ("organization_id","value_changed_at","id");--> statement-breakpoint
CREATE INDEX "secrets_expires_at_idx" ON "secrets" USING btree ("organization_id","expires_at","id");--> statement-breakpoint
CREATE INDEX "secrets_last_read_at_idx" ON "secrets" USING btree ("organization_id","last_read_at","id");--> statement-breakpoint
CREATE INDEX "secrets_created_at_idx" ON "secrets" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "secrets_value_hash_idx" ON "secrets" USING btree ("organization_id","value_hash");--> statement-breakpoint
CREATE INDEX "secrets_purge_at_idx" ON "secrets" USING btree ("purge_at") WHERE "secrets"."purge_at" is not null;--> statement-breakpoint
CREATE INDEX "secrets_rotation_due_idx" ON "secrets" USING btree (coalesce("rotation_retry_at", "next_rotation_at")) WHERE "secrets"."next_rotation_at" is not null;--> statement-breakpoint
CREATE INDEX "secrets_expiry_idx" ON "secrets" USING btree ("expires_at") WHERE "secrets"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "secrets_created_by_idx" ON "secrets" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_impersonator_id_idx" ON "sessions" USING btree ("impersonator_id");--> statement-breakpoint
CREATE INDEX "sessions_impersonator_session_id_idx" ON "sessions" USING btree ("impersonator_session_id");--> statement-breakpoint
CREATE INDEX "sign_in_tickets_user_id_idx" ON "sign_in_tickets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_tickets_expires_at_idx" ON "sign_in_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "step_events_step_idx" ON "step_events" USING btree ("organization_id","run_id","step_run_id");--> statement-breakpoint
CREATE INDEX "step_logs_step_run_id_idx" ON "step_logs" USING btree ("step_run_id","seq");--> statement-breakpoint
CREATE INDEX "step_runs_concurrency_idx" ON "step_runs" USING btree ("organization_id","concurrency_key") WHERE "step_runs"."concurrency_key" is not null;--> statement-breakpoint
CREATE INDEX "step_runs_waits_for_idx" ON "step_runs" USING btree ("organization_id","waits_for") WHERE "step_runs"."waits_for" is not null;--> statement-breakpoint
CREATE INDEX "trigger_events_trigger_idx" ON "trigger_events" USING btree ("organization_id","trigger_id","at");--> statement-breakpoint
CREATE INDEX "trigger_events_waiting_idx" ON "trigger_events" USING btree ("at") WHERE "trigger_events"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "trigger_events_at_idx" ON "trigger_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "users_active_organization_id_idx" ON "users" USING btree ("active_organization_id");--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery_idx" ON "webhook_attempts" USING btree ("organization_id","delivery_id","number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list_idx" ON "webhook_deliveries" USING btree ("organization_id","webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" USING btree ("webhook_id","next_at","id") WHERE status in ('pending', 'sending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order_idx" ON "webhook_deliveries" USING btree ("webhook_id","order_key","id") WHERE status in ('pending', 'sending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_finished_idx" ON "webhook_deliveries" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "webhook_secrets_webhook_idx" ON "webhook_secrets" USING btree ("organization_id","webhook_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_secrets_present_key" ON "webhook_secrets" USING btree ("webhook_id") WHERE valid_until is null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_name_key" ON "webhooks" USING btree ("organization_id",lower(name));--> statement-breakpoint
CREATE INDEX "webhooks_created_by_idx" ON "webhooks" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "workflow_runs_queued_at_idx" ON "workflow_runs" USING btree ("organization_id","queued_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_status_idx" ON "workflow_runs" USING btree ("organization_id","status","queued_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow_id_idx" ON "workflow_runs" USING btree ("workflow_id","queued_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow_status_idx" ON "workflow_runs" USING btree ("workflow_id","status","queued_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_subject_idx" ON "workflow_runs" USING btree ("organization_id","subject_type","subject_id","queued_at","id") WHERE "workflow_runs"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_subject_status_idx" ON "workflow_runs" USING btree ("organization_id","subject_type","subject_id","status","queued_at","id") WHERE "workflow_runs"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_parent_idx" ON "workflow_runs" USING btree ("parent_run_id") WHERE "workflow_runs"."parent_run_id" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_retry_of_idx" ON "workflow_runs" USING btree ("retry_of") WHERE "workflow_runs"."retry_of" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_concurrency_idx" ON "workflow_runs" USING btree ("workflow_id","concurrency_key","queued_at") WHERE "workflow_runs"."finished_at" is null and "workflow_runs"."concurrency_key" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_queue_idx" ON "workflow_runs" USING btree ("organization_id","priority" DESC NULLS LAST,"queued_at","id") WHERE "workflow_runs"."status" = 'queued' and "workflow_runs"."finished_at" is null and "workflow_runs"."executor_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_runs_start_key" ON "workflow_runs" USING btree ("workflow_id","start_key") WHERE "workflow_runs"."start_key" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_trigger_idx" ON "workflow_runs" USING btree ("organization_id","trigger","queued_at");--> statement-breakpoint
CREATE INDEX "workflow_runs_executor_id_idx" ON "workflow_runs" USING btree ("executor_id") WHERE "workflow_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "workflow_runs_finished_at_idx" ON "workflow_runs" USING btree ("finished_at") WHERE "workflow_runs"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_cancel_requested_by_idx" ON "workflow_runs" USING btree ("cancel_requested_by") WHERE "workflow_runs"."cancel_requested_by" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_created_by_idx" ON "workflow_runs" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "workflow_triggers_workflow_idx" ON "workflow_triggers" USING btree ("organization_id","workflow_id");--> statement-breakpoint
CREATE INDEX "workflow_triggers_event_idx" ON "workflow_triggers" USING btree ("organization_id",("settings" ->> 'event')) WHERE "workflow_triggers"."type" = 'event' and "workflow_triggers"."is_enabled";--> statement-breakpoint
CREATE INDEX "workflow_triggers_next_at_idx" ON "workflow_triggers" USING btree ("next_at") WHERE "workflow_triggers"."next_at" is not null and "workflow_triggers"."is_enabled";--> statement-breakpoint
CREATE INDEX "workflow_triggers_created_by_idx" ON "workflow_triggers" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "workflow_versions_organization_idx" ON "workflow_versions" USING btree ("organization_id","workflow_id","version");--> statement-breakpoint
CREATE INDEX "workflow_versions_created_by_idx" ON "workflow_versions" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "workflows_built_in_key" ON "workflows" USING btree ("organization_id","built_in");--> statement-breakpoint
CREATE INDEX "workflows_created_at_idx" ON "workflows" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "workflows_created_by_idx" ON "workflows" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "workflows_type_idx" ON "workflows" USING btree ("organization_id","type");--> statement-breakpoint
CREATE POLICY "tenant" ON "access_tickets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "access_tickets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "annotation_replies" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "annotation_replies" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "annotations" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "annotations" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "api_key_secrets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "api_key_secrets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "api_keys" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "api_keys" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_heads" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_heads" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_links" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_links" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_pending" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_pending" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_checkpoints" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_checkpoints" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_entries" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "append" ON "audit_entries" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_entries" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_streams" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_streams" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_terms" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_terms" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_verifications" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_verifications" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "cluster_connections" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "cluster_connections" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "cluster_health" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "cluster_health" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "cluster_lists" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "cluster_lists" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "clusters" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "clusters" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_groups" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_groups" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_hours" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_hours" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_releases" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_releases" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_users" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_users" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_occurrences" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_occurrences" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) or (organization_id = 0 and user_id = (select nullif(current_setting('bey.user_id', true), '')::int))) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) or (organization_id = 0 and user_id = (select nullif(current_setting('bey.user_id', true), '')::int)));--> statement-breakpoint
CREATE POLICY "system" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "instance_settings" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "invitations" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "invitations" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "kubeconfig_tokens" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "kubeconfig_tokens" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "linked_accounts" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "add" ON "mail_outbox" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK ((select nullif(current_setting('bey.organization_id', true), '')::int) is not null or (select nullif(current_setting('bey.user_id', true), '')::int) is not null);--> statement-breakpoint
CREATE POLICY "system" ON "mail_outbox" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "memberships" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "mine" ON "memberships" AS PERMISSIVE FOR SELECT TO "bey_app" USING (user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "memberships" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_hours" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_hours" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_minutes" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_minutes" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_pending" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_pending" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_samples" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_samples" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_quotas" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_quotas" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_series" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_series" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "notification_channels" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "notification_channels" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "notification_deliveries" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "notification_deliveries" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "notification_rules" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "notification_rules" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "own_read" ON "notifications" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "own_update" ON "notifications" AS PERMISSIVE FOR UPDATE TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "own_delete" ON "notifications" AS PERMISSIVE FOR DELETE TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "told" ON "notifications" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and ((select nullif(current_setting('bey.user_id', true), '')::int) is null or user_id = (select nullif(current_setting('bey.user_id', true), '')::int)));--> statement-breakpoint
CREATE POLICY "system" ON "notifications" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "object_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "object_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "organization_keys" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "organization_keys" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "organization_policies" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "organization_policies" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "organizations" AS PERMISSIVE FOR ALL TO "bey_app" USING (id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "mine" ON "organizations" AS PERMISSIVE FOR SELECT TO "bey_app" USING (exists (select 1 from memberships m where m.organization_id = organizations.id and m.user_id = (select nullif(current_setting('bey.user_id', true), '')::int)));--> statement-breakpoint
CREATE POLICY "system" ON "organizations" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "passkeys" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "processes" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "recovery_codes" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "approval_decisions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "approval_decisions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "run_approvals" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "run_approvals" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_grants" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_grants" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_shares" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_shares" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_syncs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_syncs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_uses" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_uses" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secrets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secrets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "server_keys" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "own" ON "sessions" AS PERMISSIVE FOR ALL TO "bey_app" USING (user_id = (select nullif(current_setting('bey.user_id', true), '')::int)) WITH CHECK (user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "sessions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "sign_in_tickets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "step_attempts" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "step_attempts" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "step_events" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "step_events" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "step_logs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "step_logs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "step_runs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "step_runs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "trigger_events" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "trigger_events" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "own" ON "user_settings" AS PERMISSIVE FOR ALL TO "bey_app" USING (user_id = (select nullif(current_setting('bey.user_id', true), '')::int)) WITH CHECK (user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "user_settings" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "system" ON "user_totp" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "own" ON "users" AS PERMISSIVE FOR ALL TO "bey_app" USING (id = (select nullif(current_setting('bey.user_id', true), '')::int)) WITH CHECK (id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "colleague" ON "users" AS PERMISSIVE FOR SELECT TO "bey_app" USING (exists (select 1 from memberships m where m.user_id = users.id and m.organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)));--> statement-breakpoint
CREATE POLICY "system" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_attempts" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "webhook_attempts" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_secrets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "webhook_secrets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhooks" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "webhooks" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "workflow_runs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "workflow_runs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "workflow_triggers" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "workflow_triggers" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "workflow_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "workflow_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "workflows" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "workflows" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
-- Rows of steps change several times: with room on their page PostgreSQL leaves the indexes alone.
ALTER TABLE "step_runs" SET (fillfactor = 70);
