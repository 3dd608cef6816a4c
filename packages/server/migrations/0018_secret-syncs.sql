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
ALTER TABLE "secret_syncs" ADD CONSTRAINT "secret_syncs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_syncs" ADD CONSTRAINT "secret_syncs_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_syncs" ADD CONSTRAINT "secret_syncs_organization_id_cluster_id_clusters_organization_id_id_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secret_syncs_secret_idx" ON "secret_syncs" USING btree ("organization_id","secret_id");--> statement-breakpoint
CREATE INDEX "secret_syncs_next_at_idx" ON "secret_syncs" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "secret_syncs_created_by_idx" ON "secret_syncs" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_syncs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_syncs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);