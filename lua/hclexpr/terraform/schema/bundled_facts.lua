-- Facts of small providers: types, marks and nesting of their resources. tools/facts.lua writes this file.
local r = {
  { type = "bool", optional = true },
  { type = { "set", "string" }, optional = true },
  { type = "string", computed = true },
  { type = "string", optional = true },
  { type = "string", required = true },
  { type = "number", computed = true },
  { type = "bool", optional = true, computed = true },
  { type = "string", optional = true, computed = true },
  { type = "string", optional = true, sensitive = true },
  { type = { "list", "string" }, optional = true },
  { type = "string", computed = true, sensitive = true },
  { type = { "map", "string" }, optional = true },
  { type = { "map", "string" }, computed = true },
  { type = "number", required = true },
  { type = "number", optional = true, computed = true },
  { type = { "list", "string" }, required = true },
  { type = { "list", "string" }, computed = true },
  { type = "number", optional = true },
  { type = "string", required = true, sensitive = true },
  { type = "bool", computed = true },
  { type = { "list", { "object", {
    cert_pem = "string",
    is_ca = "bool",
    issuer = "string",
    max_path_length = "number",
    not_after = "string",
    not_before = "string",
    public_key_algorithm = "string",
    serial_number = "string",
    sha1_fingerprint = "string",
    signature_algorithm = "string",
    subject = "string",
    version = "number"
  } } }, computed = true },
}

return {
  ["hashicorp/archive"] = {
    resource_schemas = {
      archive_file = { block = { attributes = {
        exclude_symlink_directories = r[1], excludes = r[2], id = r[3], output_base64sha256 = r[3], output_base64sha512 = r[3],
        output_file_mode = r[4], output_md5 = r[3], output_path = r[5], output_sha = r[3], output_sha256 = r[3],
        output_sha512 = r[3], output_size = r[6], source_content = r[4], source_content_filename = r[4], source_dir = r[4],
        source_file = r[4], type = r[5],
      }, block_types = {
        source = { nesting_mode = "set", block = { attributes = {
          content = r[5], filename = r[5],
        } } },
      } } },
    },
    data_source_schemas = {
      archive_file = { block = { attributes = {
        exclude_symlink_directories = r[1], excludes = r[2], id = r[3], output_base64sha256 = r[3], output_base64sha512 = r[3],
        output_file_mode = r[4], output_md5 = r[3], output_path = r[5], output_sha = r[3], output_sha256 = r[3],
        output_sha512 = r[3], output_size = r[6], source_content = r[4], source_content_filename = r[4], source_dir = r[4],
        source_file = r[4], type = r[5],
      }, block_types = {
        source = { nesting_mode = "set", block = { attributes = {
          content = r[5], filename = r[5],
        } } },
      } } },
    },
  },
  ["hashicorp/cloudinit"] = {
    resource_schemas = {
      cloudinit_config = { block = { attributes = {
        base64_encode = r[7], boundary = r[8], gzip = r[7], id = r[3], rendered = r[3],
      }, block_types = {
        part = { nesting_mode = "list", block = { attributes = {
          content = r[5], content_type = r[8], filename = r[4], merge_type = r[4],
        } } },
      } } },
    },
    data_source_schemas = {
      cloudinit_config = { block = { attributes = {
        base64_encode = r[7], boundary = r[8], gzip = r[7], id = r[3], rendered = r[3],
      }, block_types = {
        part = { nesting_mode = "list", block = { attributes = {
          content = r[5], content_type = r[8], filename = r[4], merge_type = r[4],
        } } },
      } } },
    },
  },
  ["hashicorp/local"] = {
    resource_schemas = {
      local_file = { block = { attributes = {
        content = r[4], content_base64 = r[4], content_base64sha256 = r[3], content_base64sha512 = r[3], content_md5 = r[3],
        content_sha1 = r[3], content_sha256 = r[3], content_sha512 = r[3], directory_permission = r[8], file_permission = r[8],
        filename = r[5], id = r[3], sensitive_content = r[9], source = r[4],
      } } },
      local_sensitive_file = { block = { attributes = {
        content = r[9], content_base64 = r[9], content_base64sha256 = r[3], content_base64sha512 = r[3], content_md5 = r[3],
        content_sha1 = r[3], content_sha256 = r[3], content_sha512 = r[3], directory_permission = r[8], file_permission = r[8],
        filename = r[5], id = r[3], source = r[4],
      } } },
    },
    data_source_schemas = {
      local_command = { block = { attributes = {
        allow_non_zero_exit_code = r[1], arguments = r[10], command = r[5], exit_code = r[6], stderr = r[3], stdin = r[4],
        stdout = r[3], working_directory = r[4],
      } } },
      local_file = { block = { attributes = {
        content = r[3], content_base64 = r[3], content_base64sha256 = r[3], content_base64sha512 = r[3], content_md5 = r[3],
        content_sha1 = r[3], content_sha256 = r[3], content_sha512 = r[3], filename = r[5], id = r[3],
      } } },
      local_sensitive_file = { block = { attributes = {
        content = r[11], content_base64 = r[11], content_base64sha256 = r[3], content_base64sha512 = r[3], content_md5 = r[3],
        content_sha1 = r[3], content_sha256 = r[3], content_sha512 = r[3], filename = r[5], id = r[3],
      } } },
    },
    ephemeral_resource_schemas = {
      local_command = { block = { attributes = {
        allow_non_zero_exit_code = r[1], arguments = r[10], command = r[5], exit_code = r[6], stderr = r[3], stdin = r[4],
        stdout = r[3], working_directory = r[4],
      } } },
    },
  },
  ["hashicorp/null"] = {
    resource_schemas = {
      null_resource = { block = { attributes = {
        id = r[3], triggers = r[12],
      } } },
    },
    data_source_schemas = {
      null_data_source = { block = { attributes = {
        has_computed_default = r[8], id = r[3], inputs = r[12], outputs = r[13], random = r[3],
      } } },
    },
  },
  ["hashicorp/random"] = {
    resource_schemas = {
      random_bytes = { block = { attributes = {
        base64 = r[11], hex = r[11], keepers = r[12], length = r[14],
      } } },
      random_id = { block = { attributes = {
        b64_std = r[3], b64_url = r[3], byte_length = r[14], dec = r[3], hex = r[3], id = r[3], keepers = r[12], prefix = r[4],
      } } },
      random_integer = { block = { attributes = {
        id = r[3], keepers = r[12], max = r[14], min = r[14], result = r[6], seed = r[4],
      } } },
      random_password = { block = { attributes = {
        bcrypt_hash = r[11], id = r[3], keepers = r[12], length = r[14], lower = r[7], min_lower = r[15], min_numeric = r[15],
        min_special = r[15], min_upper = r[15], number = r[7], numeric = r[7], override_special = r[4], result = r[11],
        special = r[7], upper = r[7],
      } } },
      random_pet = { block = { attributes = {
        id = r[3], keepers = r[12], length = r[15], prefix = r[4], separator = r[8],
      } } },
      random_shuffle = { block = { attributes = {
        id = r[3], input = r[16], keepers = r[12], result = r[17], result_count = r[18], seed = r[4],
      } } },
      random_string = { block = { attributes = {
        id = r[3], keepers = r[12], length = r[14], lower = r[7], min_lower = r[15], min_numeric = r[15], min_special = r[15],
        min_upper = r[15], number = r[7], numeric = r[7], override_special = r[4], result = r[3], special = r[7], upper = r[7],
      } } },
      random_uuid = { block = { attributes = {
        id = r[3], keepers = r[12], result = r[3],
      } } },
      random_uuid4 = { block = { attributes = {
        id = r[3], keepers = r[12], result = r[3],
      } } },
      random_uuid7 = { block = { attributes = {
        id = r[3], keepers = r[12], result = r[3],
      } } },
    },
    ephemeral_resource_schemas = {
      random_bytes = { block = { attributes = {
        base64 = r[11], hex = r[11], length = r[14],
      } } },
      random_password = { block = { attributes = {
        bcrypt_hash = r[11], length = r[14], lower = r[7], min_lower = r[15], min_numeric = r[15], min_special = r[15],
        min_upper = r[15], numeric = r[7], override_special = r[4], result = r[11], special = r[7], upper = r[7],
      } } },
    },
  },
  ["hashicorp/template"] = {
    resource_schemas = {
      template_cloudinit_config = { block = { attributes = {
        base64_encode = r[1], gzip = r[1], id = r[8], rendered = r[3],
      }, block_types = {
        part = { nesting_mode = "list", min_items = 1, block = { attributes = {
          content = r[5], content_type = r[4], filename = r[4], merge_type = r[4],
        } } },
      } } },
      template_dir = { block = { attributes = {
        destination_dir = r[5], id = r[8], source_dir = r[5], vars = r[12],
      } } },
      template_file = { block = { attributes = {
        filename = r[4], id = r[8], rendered = r[3], template = r[4], vars = r[12],
      } } },
    },
    data_source_schemas = {
      template_cloudinit_config = { block = { attributes = {
        base64_encode = r[1], gzip = r[1], id = r[8], rendered = r[3],
      }, block_types = {
        part = { nesting_mode = "list", min_items = 1, block = { attributes = {
          content = r[5], content_type = r[4], filename = r[4], merge_type = r[4],
        } } },
      } } },
      template_file = { block = { attributes = {
        filename = r[4], id = r[8], rendered = r[3], template = r[4], vars = r[12],
      } } },
    },
  },
  ["hashicorp/time"] = {
    resource_schemas = {
      time_offset = { block = { attributes = {
        base_rfc3339 = r[8], day = r[6], hour = r[6], id = r[3], minute = r[6], month = r[6], offset_days = r[18],
        offset_hours = r[18], offset_minutes = r[18], offset_months = r[18], offset_seconds = r[18], offset_years = r[18],
        rfc3339 = r[3], second = r[6], triggers = r[12], unix = r[6], year = r[6],
      } } },
      time_rotating = { block = { attributes = {
        day = r[6], hour = r[6], id = r[3], minute = r[6], month = r[6], rfc3339 = r[8], rotation_days = r[18],
        rotation_hours = r[18], rotation_minutes = r[18], rotation_months = r[18], rotation_rfc3339 = r[8], rotation_years = r[18],
        second = r[6], triggers = r[12], unix = r[6], year = r[6],
      } } },
      time_sleep = { block = { attributes = {
        create_duration = r[4], destroy_duration = r[4], id = r[3], triggers = r[12],
      } } },
      time_static = { block = { attributes = {
        day = r[6], hour = r[6], id = r[3], minute = r[6], month = r[6], rfc3339 = r[8], second = r[6], triggers = r[12],
        unix = r[6], year = r[6],
      } } },
    },
  },
  ["hashicorp/tls"] = {
    resource_schemas = {
      tls_cert_request = { block = { attributes = {
        cert_request_pem = r[3], dns_names = r[10], id = r[3], ip_addresses = r[10], key_algorithm = r[3], private_key_pem = r[19],
        uris = r[10],
      }, block_types = {
        subject = { nesting_mode = "list", block = { attributes = {
          common_name = r[4], country = r[4], email_address = r[4], locality = r[4], organization = r[4],
          organizational_unit = r[4], postal_code = r[4], province = r[4], serial_number = r[4], street_address = r[10],
        } } },
      } } },
      tls_locally_signed_cert = { block = { attributes = {
        allowed_uses = r[16], ca_cert_pem = r[5], ca_key_algorithm = r[3], ca_private_key_pem = r[19], cert_pem = r[3],
        cert_request_pem = r[5], early_renewal_hours = r[15], id = r[3], is_ca_certificate = r[7], max_path_length = r[15],
        ready_for_renewal = r[20], set_subject_key_id = r[7], validity_end_time = r[3], validity_period_hours = r[14],
        validity_start_time = r[3],
      } } },
      tls_private_key = { block = { attributes = {
        algorithm = r[5], ecdsa_curve = r[8], id = r[3], private_key_openssh = r[11], private_key_pem = r[11],
        private_key_pem_pkcs8 = r[11], public_key_fingerprint_md5 = r[3], public_key_fingerprint_sha256 = r[3],
        public_key_openssh = r[3], public_key_pem = r[3], rsa_bits = r[15],
      } } },
      tls_self_signed_cert = { block = { attributes = {
        allowed_uses = r[16], cert_pem = r[3], dns_names = r[10], early_renewal_hours = r[15], id = r[3], ip_addresses = r[10],
        is_ca_certificate = r[7], key_algorithm = r[3], max_path_length = r[15], private_key_pem = r[19],
        ready_for_renewal = r[20], set_authority_key_id = r[7], set_subject_key_id = r[7], uris = r[10], validity_end_time = r[3],
        validity_period_hours = r[14], validity_start_time = r[3],
      }, block_types = {
        subject = { nesting_mode = "list", block = { attributes = {
          common_name = r[4], country = r[4], email_address = r[4], locality = r[4], organization = r[4],
          organizational_unit = r[4], postal_code = r[4], province = r[4], serial_number = r[4], street_address = r[10],
        } } },
      } } },
    },
    data_source_schemas = {
      tls_certificate = { block = { attributes = {
        certificates = r[21], content = r[4], id = r[3], url = r[4], verify_chain = r[1],
      } } },
      tls_public_key = { block = { attributes = {
        algorithm = r[3], id = r[3], private_key_openssh = r[9], private_key_pem = r[9], public_key_fingerprint_md5 = r[3],
        public_key_fingerprint_sha256 = r[3], public_key_openssh = r[3], public_key_pem = r[3],
      } } },
    },
    ephemeral_resource_schemas = {
      tls_private_key = { block = { attributes = {
        algorithm = r[5], ecdsa_curve = r[8], private_key_openssh = r[11], private_key_pem = r[11], private_key_pem_pkcs8 = r[11],
        public_key_fingerprint_md5 = r[3], public_key_fingerprint_sha256 = r[3], public_key_openssh = r[3], public_key_pem = r[3],
        rsa_bits = r[15],
      } } },
      tls_public_key = { block = { attributes = {
        algorithm = r[3], id = r[3], private_key_openssh = r[9], private_key_pem = r[9], public_key_fingerprint_md5 = r[3],
        public_key_fingerprint_sha256 = r[3], public_key_openssh = r[3], public_key_pem = r[3],
      } } },
    },
  },
}
