CREATE TABLE "cluster_ranges" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"pods" jsonb NOT NULL,
	"services" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cluster_ranges" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "network_attachments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"network_id" uuid NOT NULL,
	"cluster_id" integer,
	"namespace" text DEFAULT '' NOT NULL,
	"database_id" uuid
);
--> statement-breakpoint
ALTER TABLE "network_attachments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "network_policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"network_id" uuid NOT NULL,
	"cluster_id" integer NOT NULL,
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"written" jsonb NOT NULL,
	"state" text NOT NULL,
	"state_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"found" jsonb,
	"changed_by" text,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "network_policies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "networks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"region" text DEFAULT '' NOT NULL,
	"cidr" text NOT NULL,
	"cidr6" text,
	"is_isolated" boolean DEFAULT false NOT NULL,
	"subnets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text NOT NULL,
	"status_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"reason" text,
	"figures" jsonb,
	"check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_run_id" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"row_version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "networks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cluster_ranges" ADD CONSTRAINT "cluster_ranges_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cluster_ranges" ADD CONSTRAINT "cluster_ranges_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_attachments" ADD CONSTRAINT "network_attachments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_attachments" ADD CONSTRAINT "network_attachments_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_attachments" ADD CONSTRAINT "network_attachments_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_attachments" ADD CONSTRAINT "network_attachments_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_policies" ADD CONSTRAINT "network_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_policies" ADD CONSTRAINT "network_policies_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_policies" ADD CONSTRAINT "network_policies_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "networks" ADD CONSTRAINT "networks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "networks" ADD CONSTRAINT "networks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cluster_ranges_organization_id_idx" ON "cluster_ranges" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "network_attachments_cluster_key" ON "network_attachments" USING btree ("cluster_id","namespace") WHERE "network_attachments"."cluster_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "network_attachments_database_key" ON "network_attachments" USING btree ("database_id") WHERE "network_attachments"."database_id" is not null;--> statement-breakpoint
CREATE INDEX "network_attachments_network_id_idx" ON "network_attachments" USING btree ("network_id");--> statement-breakpoint
CREATE INDEX "network_attachments_organization_id_idx" ON "network_attachments" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "network_policies_place_key" ON "network_policies" USING btree ("cluster_id","namespace","name");--> statement-breakpoint
CREATE INDEX "network_policies_network_id_idx" ON "network_policies" USING btree ("network_id");--> statement-breakpoint
CREATE INDEX "network_policies_organization_id_idx" ON "network_policies" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "networks_name_key" ON "networks" USING btree ("organization_id",lower("name")) WHERE "networks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "networks_created_at_idx" ON "networks" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "networks_check_at_idx" ON "networks" USING btree ("check_at") WHERE "networks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "networks_created_by_idx" ON "networks" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "cluster_ranges" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "cluster_ranges" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "network_attachments" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "network_attachments" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "network_policies" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "network_policies" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "networks" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "networks" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);