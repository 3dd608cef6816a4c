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
	"created_by" integer,
	"row_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secrets_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "secrets_status_is_known" CHECK ("secrets"."status" in ('active', 'disabled', 'pending_deletion', 'deleted')),
	CONSTRAINT "secrets_type_is_known" CHECK ("secrets"."type" in ('opaque', 'password', 'api_key', 'certificate', 'ssh_key', 'registry', 'kubeconfig', 'database'))
);
--> statement-breakpoint
ALTER TABLE "secrets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "secret_grants" ADD CONSTRAINT "secret_grants_granted_by_users_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_grants" ADD CONSTRAINT "secret_grants_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_uses" ADD CONSTRAINT "secret_uses_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_versions" ADD CONSTRAINT "secret_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_versions" ADD CONSTRAINT "secret_versions_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secret_grants_subject_idx" ON "secret_grants" USING btree ("organization_id","subject_type","subject_id");--> statement-breakpoint
CREATE INDEX "secret_grants_granted_by_idx" ON "secret_grants" USING btree ("granted_by");--> statement-breakpoint
CREATE INDEX "secret_uses_subject_idx" ON "secret_uses" USING btree ("organization_id","subject_type","subject_id");--> statement-breakpoint
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
CREATE INDEX "secrets_created_by_idx" ON "secrets" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_grants" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_grants" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_uses" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_uses" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "secrets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secrets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);