package io.lifespan.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads manifests as an API server with strict validation would: by the types of Kubernetes, with
 * an error for every name that they do not have, every text where a number belongs and the other
 * way round, and every quantity that is none.
 */
final class Manifests {

  private static final Map<String, Class<? extends HasMetadata>> TYPES =
      Map.of(
          "v1/Namespace", Namespace.class,
          "v1/ServiceAccount", ServiceAccount.class,
          "v1/ConfigMap", ConfigMap.class,
          "v1/Service", Service.class,
          "apps/v1/DaemonSet", DaemonSet.class,
          "apps/v1/Deployment", Deployment.class,
          "scheduling.k8s.io/v1/PriorityClass", PriorityClass.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "rbac.authorization.k8s.io/v1/ClusterRole", ClusterRole.class,
          "rbac.authorization.k8s.io/v1/ClusterRoleBinding", ClusterRoleBinding.class);

  private static final ObjectMapper YAML = yaml();

  private Manifests() {}

  /**
   * All resources of a text with several.
   *
   * @throws IOException naming the first that is wrong
   */
  static List<HasMetadata> read(String text) throws IOException {
    List<HasMetadata> resources = new ArrayList<>();
    for (JsonNode document : documents(text)) {
      String type = document.path("apiVersion").asText() + "/" + document.path("kind").asText();
      Class<? extends HasMetadata> known = TYPES.get(type);
      if (known == null) {
        throw new IOException("there is no " + type + " here");
      }
      resources.add(YAML.treeToValue(document, known));
    }
    return resources;
  }

  /** The documents of a text as they are. */
  static List<JsonNode> documents(String text) throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(text)) {
      while (all.hasNextValue()) {
        JsonNode document = all.nextValue();
        if (!document.isNull() && !document.isMissingNode()) {
          documents.add(document);
        }
      }
    }
    return documents;
  }

  /** Any object as a tree, for comparison. */
  static JsonNode tree(Object value) {
    return new ObjectMapper().valueToTree(value);
  }

  private static ObjectMapper yaml() {
    ObjectMapper mapper = new ObjectMapper(new YAMLFactory());
    mapper.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    mapper.setAnnotationIntrospector(new Strict());
    for (CoercionInputShape shape :
        List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
      mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
    }
    for (LogicalType number : List.of(LogicalType.Integer, LogicalType.Boolean)) {
      mapper.coercionConfigFor(number).setCoercion(CoercionInputShape.String, CoercionAction.Fail);
    }
    return mapper;
  }

  /** The model keeps what it does not know; here that is an error. */
  private static final class Strict extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated member) {
      return false;
    }

    @Override
    public Object findDeserializer(Annotated annotated) {
      return annotated.getRawType() == Quantity.class
          ? QuantityReader.class
          : super.findDeserializer(annotated);
    }
  }

  /** Kubernetes' quantities, checked at once. */
  static final class QuantityReader extends JsonDeserializer<Quantity> {
    @Override
    public Quantity deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String text = parser.getValueAsString();
      try {
        Quantity quantity = Quantity.parse(text);
        quantity.getNumericalAmount();
        return quantity;
      } catch (IllegalArgumentException | ArithmeticException wrong) {
        throw new JsonProcessingException("\"" + text + "\" is not a quantity", wrong) {
          private static final long serialVersionUID = 1L;
        };
      }
    }
  }
}
