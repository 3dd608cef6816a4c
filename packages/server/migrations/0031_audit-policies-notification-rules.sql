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
	"checkpoint_key_id" text
);
--> statement-breakpoint
ALTER TABLE "audit_verifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notification_channels" (
	"organization_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"sealed_url" "bytea" NOT NULL,
	"host" text NOT NULL,
	"last_sent_at" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_channels_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "notification_channels_name_key" UNIQUE("organization_id","name")
);
--> statement-breakpoint
ALTER TABLE "notification_channels" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"organization_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
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
DROP INDEX "audit_entries_at_idx";--> statement-breakpoint
DROP INDEX "audit_entries_target_idx";--> statement-breakpoint
DROP INDEX "audit_entries_actor_idx";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "grounds" jsonb;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "object_key" text;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_rule_fk" FOREIGN KEY ("organization_id","rule_id") REFERENCES "public"."notification_rules"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."notification_channels"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD CONSTRAINT "organization_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_deliveries_due_idx" ON "notification_deliveries" USING btree ("due_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_repeat_idx" ON "notification_deliveries" USING btree ("organization_id","rule_id","repeat_key");--> statement-breakpoint
CREATE INDEX "notification_deliveries_channel_idx" ON "notification_deliveries" USING btree ("organization_id","channel_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_user_idx" ON "notification_deliveries" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "notification_rules_user_idx" ON "notification_rules" USING btree ("organization_id","user_id");--> statement-breakpoint
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
CREATE POLICY "tenant" ON "audit_checkpoints" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_checkpoints" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_terms" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_terms" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_verifications" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_verifications" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "notification_channels" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "notification_channels" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "notification_deliveries" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "notification_deliveries" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "notification_rules" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "notification_rules" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "organization_policies" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "organization_policies" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
-- What the triggers do for new entries, for those that are there.
ALTER TABLE "audit_entries" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "audit_entries" SET "object_key" = concat(split_part("diff" ->> 'resource', '/', 1), '/', "diff" ->> 'namespace', '/', "diff" ->> 'name')
WHERE "target_type" = 'cluster' AND "diff" ->> 'name' IS NOT NULL AND "diff" ->> 'resource' IS NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ENABLE TRIGGER USER;--> statement-breakpoint
INSERT INTO "audit_terms" ("organization_id", "field", "value", "id")
SELECT DISTINCT e."organization_id", t."field", t."value", t."id"
FROM "audit_entries" e
CROSS JOIN LATERAL (VALUES
  ('actor', e."actor_display", coalesce(e."actor_id", '')), ('action', e."action", ''),
  ('target', e."target_name", ''), ('ip', e."ip", '')
) t("field", "value", "id")
WHERE t."value" <> '';
