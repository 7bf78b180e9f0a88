package dev.deferred.work;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads payloads as one class. */
final class PayloadReader<T> {
    private final Class<T> type;
    private final ObjectReader json;

    /**
     * A reader that is known to work for the class.
     *
     * @throws IllegalArgumentException when JSON can't be read as that class at all
     */
    PayloadReader(Class<T> type, ObjectMapper mapper) {
        this.type = type;
        if (type != byte[].class && type != String.class) {
            requireReadable(type, mapper);
        }
        this.json = mapper.readerFor(type);
    }

    private static void requireReadable(Class<?> type, ObjectMapper mapper) {
        JavaType javaType = mapper.constructType(type);
        DeserializationContext context = ((DefaultDeserializationContext) mapper.getDeserializationContext())
                .createInstance(mapper.getDeserializationConfig(), null, mapper.getInjectableValues());
        JsonDeserializer<?> found;
        try {
            found = context.findRootValueDeserializer(javaType);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
        if (found instanceof AbstractDeserializer) {
            throw new IllegalArgumentException("it is abstract and says nothing of its subtypes");
        }
        if (found instanceof BeanDeserializerBase bean
                && !bean.getValueInstantiator().canInstantiate()) {
            throw new IllegalArgumentException("it has no constructor that JSON can use");
        }
    }

    /**
     * Reads a payload.
     *
     * @throws IOException when the bytes are not what the class needs; the message says where
     */
    T read(byte[] payload) throws IOException {
        if (type == byte[].class) {
            return type.cast(payload);
        }
        if (type == String.class) {
            return type.cast(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        }
        T value = json.readValue(payload);
        if (value == null) {
            throw new IOException("the payload is null; expected " + type.getSimpleName());
        }
        return value;
    }
}
